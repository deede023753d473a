// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRender
import Testing

@Suite struct TrailHistoryTests {
  static func box(_ x: Double) -> BoundingBox { BoundingBox(x: x - 5, y: 10, width: 10, height: 20) }

  static func history(_ change: (inout TrailOptions) -> Void = { _ in }) throws -> TrailHistory {
    var options = TrailOptions()
    change(&options)
    return try TrailHistory(options: options)
  }

  @Test func `a trail holds the bottom centres of the boxes, the oldest first`() throws {
    var history = try Self.history()
    for frame in 0..<3 { history.update([(7, Self.box(Double(frame)))], at: Double(frame) / 30) }
    #expect(history.trail(of: 7) == [0, 1, 2].map { PixelPoint(x: $0, y: 30) })
    #expect(history.trail(of: 8).isEmpty)
  }

  @Test func `a trail may hold the centres`() throws {
    var history = try Self.history { $0.anchor = .center }
    history.update([(1, Self.box(4))], at: 0)
    #expect(history.trail(of: 1) == [PixelPoint(x: 4, y: 20)])
  }

  @Test func `points older than the duration are removed, and with the last one the object`() throws {
    var history = try Self.history { $0.seconds = 1 }
    history.update([(1, Self.box(0)), (2, Self.box(50))], at: 0)
    history.update([(1, Self.box(1))], at: 0.75)
    history.update([], at: 1)
    #expect(history.trail(of: 1).map(\.x) == [0, 1])
    #expect(history.count == 2)
    history.update([], at: 1.5)
    #expect(history.trail(of: 1).map(\.x) == [1])
    #expect(history.count == 1)
    history.update([], at: 1.76)
    #expect(history.count == 0)
  }

  @Test func `memory is bounded on an endless stream`() throws {
    var history = try Self.history {
      $0.maximumPoints = 10
      $0.maximumTrails = 20
    }
    for frame in 0..<20_000 {
      let passers = (0..<5).map { (identity: frame * 5 + $0 + 1, box: Self.box(Double($0))) }
      history.update([(0, Self.box(Double(frame)))] + passers, at: Double(frame) / 1000)
      #expect(history.count <= 20)
    }
    #expect(history.trail(of: 0).map(\.x) == (19_990..<20_000).map(Double.init))
  }

  @Test(arguments: [
    BoundingBox(x: .nan, y: 0, width: 5, height: 5), BoundingBox(x: 0, y: 0, width: 0, height: 5),
  ])
  func `a box without a position leaves no point`(_ box: BoundingBox) throws {
    var history = try Self.history()
    history.update([(1, box)], at: 0)
    #expect(history.count == 0)
  }

  @Test(arguments: [0.5, .nan, .infinity, -.infinity])
  func `a time that goes back or is invalid restarts all trails`(_ seconds: Double) throws {
    var history = try Self.history()
    history.update([(1, Self.box(0))], at: 1)
    history.update([(2, Self.box(3))], at: seconds)
    #expect(history.trail(of: 1).isEmpty)
    #expect(history.trail(of: 2).count == 1)
    history.update([], at: 100)
    #expect(history.count == 0)
  }

  @Test(arguments: [
    ("seconds", 0.0, 2, 1), ("seconds", .nan, 2, 1), ("seconds", 601, 2, 1), ("maximumPoints", 1, 1, 1),
    ("maximumPoints", 1, 1001, 1), ("maximumTrails", 1, 2, 0),
  ])
  func `options out of range are rejected by name`(
    _ name: String, _ seconds: Double, _ points: Int, _ trails: Int
  ) {
    let error = #expect(throws: RenderError.self) {
      try Self.history {
        $0.seconds = seconds
        $0.maximumPoints = points
        $0.maximumTrails = trails
      }
    }
    #expect(error?.code == .invalidStyle)
    #expect(error?.message.hasPrefix("TrailOptions.\(name) is ") == true)
  }
}
