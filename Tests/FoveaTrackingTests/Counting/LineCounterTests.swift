// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaTracking

@Suite struct LineCounterTests {
  /// The path of one object, and its counts at the line from (100, 100) to (200, 100).
  struct Walk: CustomTestStringConvertible {
    let name: String
    /// The anchor in each frame; nil if the object is not seen.
    let path: [(Double, Double)?]
    var into = 0
    var out = 0
    var testDescription: String { name }
  }

  // Boxes are 20 × 20: the tolerance of a tenth is 2 pixels.
  static let walks = [
    Walk(name: "no frame", path: []),
    Walk(name: "one frame", path: [(150, 150)]),
    Walk(name: "stays above", path: [(150, 80), (150, 90), (150, 97)]),
    Walk(name: "down in steps", path: [(150, 80), (150, 95), (150, 105), (150, 120)], into: 1),
    Walk(name: "up in steps", path: [(150, 120), (150, 105), (150, 95), (150, 80)], out: 1),
    Walk(name: "down and up", path: [(150, 80), (150, 120), (150, 80)], into: 1, out: 1),
    Walk(name: "jumps over far", path: [(150, -900), (150, 5000)], into: 1),
    Walk(name: "jumps over slantwise", path: [(0, 0), (300, 200)], into: 1),
    Walk(name: "jumps slantwise past the end", path: [(190, 80), (240, 120)]),
    Walk(name: "around the right end", path: [(150, 80), (260, 80), (260, 120), (150, 120)]),
    Walk(name: "around the left end", path: [(150, 120), (40, 120), (40, 80), (150, 80)]),
    Walk(name: "through the first end", path: [(100, 80), (100, 120)], into: 1),
    Walk(name: "through the last end", path: [(200, 120), (200, 80)], out: 1),
    Walk(name: "just past the end", path: [(200.001, 120), (200.001, 80)]),
    Walk(name: "stops on the line", path: [(150, 80), (150, 100), (150, 100)]),
    Walk(
      name: "stops on the line, then goes on", path: [(150, 80), (150, 100), (150, 100), (150, 120)], into: 1),
    Walk(name: "stops on the line, then turns back", path: [(150, 80), (150, 100), (150, 80)]),
    Walk(name: "along the line from outside", path: [(50, 100), (150, 100), (250, 100)]),
    Walk(
      name: "onto the line and out behind its end", path: [(150, 80), (150, 100), (250, 100), (250, 120)]),
    Walk(
      name: "along the line and off inside", path: [(150, 80), (110, 100), (190, 100), (190, 120)], into: 1),
    Walk(name: "appears on the line", path: [(150, 100), (150, 120)]),
    Walk(name: "appears within the tolerance", path: [(150, 99), (150, 120)]),
    Walk(name: "touches the tolerance and turns back", path: [(150, 80), (150, 102), (150, 80)]),
    Walk(name: "just beyond the tolerance", path: [(150, 80), (150, 102.01), (150, 101)], into: 1),
    Walk(
      name: "trembles on the line",
      path: [(150, 80)] + (0..<50).map { (150, $0.isMultiple(of: 2) ? 98.5 : 101.5) }),
    Walk(
      name: "trembles on the line and goes on",
      path: [(150, 80)] + (0..<51).map { (150, $0.isMultiple(of: 2) ? 98.5 : 101.5) } + [(150, 120)], into: 1),
    Walk(name: "lost and back on the other side", path: [(150, 80), nil, nil, nil, (150, 120)], into: 1),
    Walk(name: "lost and back past the end", path: [(150, 80), nil, (300, 120)]),
    Walk(
      name: "lost for longer than is remembered",
      path: [(150, 80)] + Array(repeating: nil, count: 11) + [(150, 120)]),
    Walk(
      name: "lost for as long as is remembered",
      path: [(150, 80)] + Array(repeating: nil, count: 10) + [(150, 120)], into: 1),
    Walk(
      name: "a box that is no number between", path: [(150, 80), (.nan, 90), (.infinity, 90), (150, 120)],
      into: 1),
    Walk(name: "a box far beyond any image", path: [(150, 80), (150, 1e300), (150, 90)]),
  ]

  static func counter(_ change: (inout CountingOptions) -> Void = { _ in }) throws -> LineCounter {
    var options = CountingOptions()
    options.memoryFrames = 10
    change(&options)
    return try LineCounter(from: PixelPoint(x: 100, y: 100), to: PixelPoint(x: 200, y: 100), options: options)
  }

  /// An object of 20 × 20 pixels whose bottom centre is a point.
  static func object(_ identity: Int = 1, at point: (Double, Double), classIndex: Int? = nil) -> CountedObject
  {
    let box = BoundingBox(x: point.0 - 10, y: point.1 - 20, width: 20, height: 20)
    return CountedObject(identity: identity, box: box, classIndex: classIndex)
  }

  @Test(arguments: walks) func `an object counts when its path crosses the line`(_ walk: Walk) throws {
    var counter = try Self.counter()
    for point in walk.path { counter.update(point.map { [Self.object(at: $0)] } ?? []) }
    #expect(counter.counts.in == walk.into)
    #expect(counter.counts.out == walk.out)
  }

  @Test(arguments: walks) func `the reversed line swaps in and out`(_ walk: Walk) throws {
    var options = CountingOptions()
    options.memoryFrames = 10
    var counter = try LineCounter(
      from: PixelPoint(x: 200, y: 100), to: PixelPoint(x: 100, y: 100), options: options)
    for point in walk.path { counter.update(point.map { [Self.object(at: $0)] } ?? []) }
    #expect(counter.counts.in == walk.out)
    #expect(counter.counts.out == walk.into)
  }

  @Test func `an unknown object is forgotten at once`() throws {
    var counter = try Self.counter()
    counter.update([Self.object(1, at: (150, 50))], known: [1])
    counter.update([], known: [1])
    #expect(counter.update([Self.object(1, at: (150, 150))], known: [1]).count == 1)
    counter.update([], known: [])
    #expect(counter.rememberedCount == 0)
    // A new object with the number of an old one has no previous position.
    #expect(counter.update([Self.object(1, at: (150, 50))], known: [1]).isEmpty)
  }

  @Test func `without tolerance each change of side counts`() throws {
    var counter = try Self.counter { $0.tolerance = 0 }
    for y in [80, 101, 99, 101, 100, 99.0] { counter.update([Self.object(at: (150, y))]) }
    #expect(counter.counts.in == 2)
    #expect(counter.counts.out == 2)
  }

  @Test func `the centre of the box may count instead of its bottom`() throws {
    var foot = try Self.counter()
    var centre = try Self.counter { $0.anchor = .center }
    for y in [80.0, 107] {
      foot.update([Self.object(at: (150, y))])
      centre.update([Self.object(at: (150, y))])
    }
    #expect(foot.counts.in == 1)
    #expect(centre.counts.in == 0)
    #expect(centre.update([Self.object(at: (150, 115))]).map(\.direction) == [.in])
  }

  @Test func `crossings are in the order of the objects and are counted by class`() throws {
    var counter = try Self.counter()
    let before = [(7, 80.0, 2), (3, 120, 0), (5, 80, 2)]
    #expect(counter.update(before.map { Self.object($0.0, at: (150, $0.1), classIndex: $0.2) }).isEmpty)
    let crossings = counter.update([
      Self.object(5, at: (150, 120), classIndex: 2), Self.object(9, at: (150, 120)),
      Self.object(3, at: (150, 80), classIndex: 0), Self.object(7, at: (120, 120), classIndex: nil),
    ])
    #expect(
      crossings == [
        LineCrossing(identity: 5, direction: .in, classIndex: 2),
        LineCrossing(identity: 3, direction: .out, classIndex: 0), LineCrossing(identity: 7, direction: .in),
      ])
    #expect(counter.counts.in == 2)
    #expect(counter.counts.out == 1)
    #expect(counter.countsByClass[2]?.in == 1)
    #expect(counter.countsByClass[0]?.out == 1)
    #expect(counter.countsByClass.count == 2)
  }

  @Test func `an identity's second box in a frame is left out and counted as such`() throws {
    var counter = try Self.counter()
    counter.update([Self.object(at: (150, 80)), Self.object(at: (150, 120))])
    #expect(counter.counts == LineCounts())
    #expect(counter.ignoredBoxes == 1)
    let empty = CountedObject(identity: 2, box: BoundingBox(x: 5, y: 5, width: 0, height: 9))
    counter.update([Self.object(2, at: (.nan, 0)), Self.object(3, at: (0, -.infinity)), empty])
    #expect(counter.ignoredBoxes == 4)
  }

  @Test func `the right side of a slanted line is that of its direction`() throws {
    var counter = try LineCounter(from: PixelPoint(x: 0, y: 0), to: PixelPoint(x: 0, y: 200))
    counter.update([Self.object(at: (50, 100))])
    #expect(counter.update([Self.object(at: (-50, 100))]).map(\.direction) == [.in])
  }

  @Test func `memory stays bounded and thousands of objects count`() throws {
    var counter = try Self.counter()
    for frame in 0..<3000 {
      let objects = (0..<5).flatMap { lane -> [CountedObject] in
        let (new, old) = (frame * 5 + lane, (frame - 1) * 5 + lane)
        let x = 110 + Double(lane) * 20
        return [Self.object(new, at: (x, 50))] + (frame > 0 ? [Self.object(old, at: (x, 150))] : [])
      }
      counter.update(objects)
      #expect(counter.rememberedCount <= 5 * 12)
    }
    #expect(counter.counts.in == 2999 * 5)
    for _ in 0..<11 { counter.update([]) }
    #expect(counter.rememberedCount == 0)
  }

  @Test func `ten thousand objects in one frame count each once`() throws {
    var counter = try Self.counter()
    for y in [0.0, 300] { counter.update((0..<10_000).map { Self.object($0, at: (150, y)) }) }
    #expect(counter.counts.in == 10_000)
  }

  @Test(arguments: [
    ((0.0, 0.0), (0.0, 0.0), "The line begins and ends at (0.0, 0.0). Give two different points."),
    (
      (.nan, 0), (1, 1),
      "The line from (nan, 0.0) to (1.0, 1.0) has a coordinate that is not a number within ±1000000.0. "
        + "Give both ends in pixels of the frame."
    ),
    (
      (0, 0), (2e6, 1),
      "The line from (0.0, 0.0) to (2000000.0, 1.0) has a coordinate that is not a number within ±1000000.0. "
        + "Give both ends in pixels of the frame."
    ),
  ])
  func `an impossible line is rejected`(
    _ start: (Double, Double), _ end: (Double, Double), _ text: String
  ) {
    let error = #expect(throws: CountingError.self) {
      try LineCounter(from: PixelPoint(x: start.0, y: start.1), to: PixelPoint(x: end.0, y: end.1))
    }
    #expect(error?.code == .invalidLine)
    #expect(error?.description == text)
  }

  @Test(arguments: [(-0.1, 5), (.nan, 5), (10.5, 5), (.infinity, 5), (0.1, 0), (0.1, -3)])
  func `options out of range are rejected`(_ tolerance: Double, _ memory: Int) {
    let error = #expect(throws: CountingError.self) {
      try Self.counter {
        $0.tolerance = tolerance
        $0.memoryFrames = memory
      }
    }
    #expect(error?.code == .invalidOption)
    #expect(error?.message.contains(memory > 0 ? "\(tolerance)" : "\(memory)") == true)
  }
}
