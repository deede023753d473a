// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaTracking
import Testing

@testable import FoveaCLI

@Suite struct CountTableTests {
  @Test func `lines and zones are printed in the order of the command line`() throws {
    var counters = try FrameCounters(
      lines: [try #require(LineArgument(argument: "0,50,100,50"))],
      zones: [
        try #require(ZoneArgument(argument: "0,60,100,60,100,200,0,200")),
        try #require(ZoneArgument(argument: "500,500,600,500,600,600")),
      ], memory: 30)
    #expect(!counters.isEmpty)
    for y in stride(from: 10.0, through: 110, by: 10) {
      var object = DetectedObject(
        box: BoundingBox(x: 40, y: y - 20, width: 10, height: 20), score: 0.9, labels: [])
      object.trackingID = 5
      counters.update([object])
    }
    // An object without an identity is not counted.
    counters.update([DetectedObject(box: BoundingBox(x: 1, y: 1, width: 2, height: 2), score: 1, labels: [])])
    #expect(
      counters.table.text == """
        line 1: 1 in, 0 out
        zone 1: 1 inside, 1 entered, 0 left, 0 vanished, 1 different
        zone 2: 0 inside, 0 entered, 0 left, 0 vanished, 0 different

        """)
    #expect(
      counters.table.jsonLine
        == #"{"counts": {"lines": [{"in": 1, "out": 0}], "zones": [{"inside": 1, "entered": 1, "left": 0, "#
        + #""vanished": 0, "distinct": 1}, {"inside": 0, "entered": 0, "left": 0, "vanished": 0, "distinct": 0}]}}"#
        + "\n"
    )
  }

  @Test(arguments: Orientation.allCases)
  func `in a stored frame objects count at their upright position`(_ orientation: Orientation) throws {
    let size = PixelSize(width: 400, height: 300)
    let stored = orientation.uprightSize(ofStored: size)
    func text(_ points: [(Double, Double)], _ turn: (BoundingBox) -> BoundingBox) -> String {
      points.map { turn(BoundingBox(minX: $0.0, minY: $0.1, maxX: $0.0, maxY: $0.1)) }
        .map { "\($0.minX),\($0.minY)" }.joined(separator: ",")
    }
    func counters(_ turn: (BoundingBox) -> BoundingBox) throws -> FrameCounters {
      try FrameCounters(
        lines: [try #require(LineArgument(argument: text([(0, 150), (400, 150)], turn)))],
        zones: [try #require(ZoneArgument(argument: text([(50, 160), (150, 160), (100, 290)], turn)))],
        memory: 30)
    }
    var upright = try counters { $0 }
    var turned = try counters { orientation.storedBox(fromUpright: $0, stored: stored) }
      .rotated(by: orientation, stored: stored)
    for y in stride(from: 100.0, through: 200, by: 10) {
      var object = DetectedObject(
        box: BoundingBox(x: 80, y: y - 60, width: 40, height: 60), score: 0.9, labels: [])
      object.trackingID = 1
      upright.update([object])
      turned.update([object])
    }
    #expect(upright.table.lines == [LineCounts(in: 1)])
    let isMirrored = [.upMirrored, .downMirrored, .leftMirrored, .rightMirrored].contains(orientation)
    // Left and right refer to the frame in which the line was given.
    #expect(turned.table.lines == [isMirrored ? LineCounts(out: 1) : LineCounts(in: 1)])
    #expect(turned.table.zones == upright.table.zones)
    #expect(turned.table.zones.first?.entered == 1)
  }

  @Test func `nothing to count is an empty table`() throws {
    let counters = try FrameCounters(lines: [CountedShape](), zones: [], memory: 0)
    #expect(counters.isEmpty)
    #expect(counters.table.text == "")
  }

  @Test(
    arguments: [
      ("1,2,1,2", nil, "The line begins and ends at (1.0, 2.0)"),
      (
        nil, "0,0,9,9,9,0,0,9",
        "The zone crosses itself: the edge from (0.0, 0.0) to (9.0, 9.0) meets the edge from"
      ),
      (nil, "0,0,1,1,2,2", "The zone's 3 corners lie on one line, from (0.0, 0.0)"),
    ] as [(String?, String?, String)])
  func `a shape that cannot count anything is an error`(
    _ line: String?, _ zone: String?, _ message: String
  ) {
    let error = #expect(throws: FoveaError.self) {
      try FrameCounters(
        lines: [line].compactMap { $0.flatMap(LineArgument.init(argument:)) },
        zones: [zone].compactMap { $0.flatMap(ZoneArgument.init(argument:)) }, memory: 30)
    }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }
}

@Suite struct IdentityCountTests {
  @Test func `each identity counts once, and none if there is none`() {
    var count = IdentityCount()
    #expect(count.count == 0)
    for identity in [3, 1, nil, 3, 2, nil, 1] { count.see(identity) }
    #expect(count.count == 3)
  }

  @Test func `a million identities in rising order are all counted, and recent ones are known`() {
    var count = IdentityCount()
    for identity in 1...1_000_000 {
      count.see(identity)
      count.see(identity - 100 > 0 ? identity - 100 : nil)
    }
    #expect(count.count == 1_000_000)
  }
}

extension LineCounts {
  fileprivate init(in: Int = 0, out: Int = 0) {
    self.init()
    self.in = `in`
    self.out = out
  }
}
