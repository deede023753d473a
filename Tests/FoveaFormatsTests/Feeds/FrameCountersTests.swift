// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaTracking
import Testing

@Suite struct FrameCountersTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var line: [Double]?
    var zone: [Double]?
    let isOutside: Bool
  }

  /// Shapes in a frame of 640 × 480.
  static let rows: [Row] = [
    Row(testDescription: "a line inside", line: [10, 10, 20, 20], isOutside: false),
    Row(testDescription: "a line through the frame", line: [-10, 100, 900, 200], isOutside: false),
    Row(testDescription: "a line that begins inside", line: [600, 400, 900, 900], isOutside: false),
    Row(testDescription: "a line on the right edge", line: [640, 0, 640, 480], isOutside: false),
    Row(testDescription: "a line that ends on the corner", line: [700, 540, 640, 480], isOutside: false),
    Row(testDescription: "a line right of the frame", line: [641, 0, 641, 480], isOutside: true),
    Row(testDescription: "a line above the frame", line: [0, -1, 640, -1], isOutside: true),
    Row(testDescription: "a line past the corner", line: [600, 600, 800, 300], isOutside: true),
    Row(testDescription: "a zone inside", zone: [10, 10, 20, 10, 20, 20], isOutside: false),
    Row(
      testDescription: "a zone around the frame", zone: [-1, -1, 900, -1, 900, 900, -1, 900], isOutside: false
    ),
    Row(
      testDescription: "a zone with a corner inside", zone: [630, 470, 900, 470, 900, 900], isOutside: false),
    Row(
      testDescription: "a zone across the frame", zone: [-9, 10, 900, 10, 900, 20, -9, 20], isOutside: false),
    Row(
      testDescription: "a zone below the frame", zone: [0, 481, 640, 481, 640, 900, 0, 900], isOutside: true),
    Row(testDescription: "a zone left of the frame", zone: [-9, 0, -1, 0, -1, 480], isOutside: true),
    Row(testDescription: "a zone past the corner", zone: [600, 600, 800, 300, 800, 600], isOutside: true),
    Row(
      testDescription: "a concave zone around two sides",
      zone: [-20, -20, 700, -20, 700, -10, -10, -10, -10, 500, -20, 500], isOutside: true),
  ]

  @Test(arguments: rows)
  func `a line or zone without a point in the frame has a note`(row: Row) throws {
    let counters = try FrameCounters(
      lines: row.line.map { [CountedShape(points: $0)] } ?? [],
      zones: row.zone.map { [CountedShape(points: $0)] } ?? [], memory: 30)
    let name = row.line == nil ? "Zone 1" : "Line 1"
    let note =
      "\(name) is outside the frame of 640 × 480 pixels; give its points in pixels from the top left corner"
    #expect(counters.notes(outside: PixelSize(width: 640, height: 480)) == (row.isOutside ? [note] : []))
  }

  /// The labels of a zone, and the number of objects inside: a cup, and one without a label.
  @Test(
    arguments: [
      ([], 2), (["cup"], 1), (["cat", "cup"], 1), (["cat"], 0), ([""], 0),
    ] as [([String], Int)])
  func `a zone sees the objects with its labels`(_ labels: [String], _ inside: Int) throws {
    let zone = CountedShape(points: [0, 0, 90, 0, 90, 90, 0, 90], labels: labels)
    var counters = try FrameCounters(lines: [], zones: [zone], memory: 30)
    let objects = [["cup"], []].enumerated().map { index, names in
      DetectedObject(
        box: BoundingBox(x: 10, y: 10, width: 20, height: 20), score: 0.9,
        labels: names.map { Label(text: $0, index: 0, confidence: 0.9) }, trackingID: index)
    }
    counters.update(objects)
    #expect(counters.zones[0].counts.inside == inside)
  }

  @Test(
    arguments: [
      ([], [[0, 0, 1, 0, 1, 1]], ["Zone drive"]), ([], [[0.1, 0.2, 0.9, 0.2, 0.9, 0.8]], ["Zone drive"]),
      ([], [[0, 0, 2, 0, 2, 2]], []), ([[0, 0.5, 1, 0.5]], [], ["Line door"]), ([[0, 0, 1, 1]], [], []),
    ] as [([[Double]], [[Double]], [String])])
  func `points that look like fractions have a note`(
    lines: [[Double]], zones: [[Double]], names: [String]
  ) throws {
    let counters = try FrameCounters(
      lines: lines.map { CountedShape(name: "door", points: $0) },
      zones: zones.map { CountedShape(name: "drive", points: $0) }, memory: 30)
    let note =
      " has only coordinates from 0 to 1, which is at most one pixel; give its points in pixels from the top"
      + " left corner"
    #expect(counters.notes(outside: PixelSize(width: 640, height: 480)) == names.map { $0 + note })
  }

  @Test func `counters return who crossed and who entered`() throws {
    var counters = try FrameCounters(
      lines: [CountedShape(points: [0, 50, 100, 50]), CountedShape(points: [900, 0, 900, 9])],
      zones: [CountedShape(points: [0, 60, 100, 60, 100, 200, 0, 200])], memory: 30)
    var sights: [FrameCounters.Sights] = []
    for y in [20.0, 40, 80, 300] {
      var object = DetectedObject(
        box: BoundingBox(x: 40, y: y - 20, width: 10, height: 20), score: 0.9, labels: [])
      object.trackingID = 5
      sights.append(counters.update([object]))
    }
    #expect(sights.map { $0.crossings[0].map(\.direction) } == [[], [], [.in], []])
    #expect(sights.allSatisfy { $0.crossings.count == 2 && $0.crossings[1].isEmpty })
    #expect(sights.map { $0.visits[0].map(\.kind) } == [[], [], [.entered], [.left]])
    #expect(sights[3].visits[0].map(\.identity) == [5])
  }

  @Test(
    arguments: [
      (["a", "a"], [:], "Two zones have the name 'a'"),
      // The second zone without a name is zone-2.
      (["zone-2", nil], [:], "Two zones have the name 'zone-2'"),
      (["a/b", nil], [:], "The name 'a/b' of a zone is not 1 to 64 letters A to Z, digits, '_' and '-'"),
      (["a", nil], ["b": 5], "There is a dwell for 'b', but no such zone"),
      (
        ["a", nil], ["a": 0],
        "The dwell of zone 'a' is 0 seconds; more than 0 and at most 86400 expected"
      ),
      (
        ["a", nil], ["zone-2": 1e9],
        "The dwell of zone 'zone-2' is 1000000000 seconds; more than 0 and at most 86400 expected"
      ),
    ] as [([String?], [String: Double], String)])
  func `names and dwells that cannot be are refused`(
    names: [String?], dwells: [String: Double], message: String
  ) {
    let error = #expect(throws: FoveaError.self) {
      try FrameCounters(
        lines: [], zones: names.map { CountedShape(name: $0, points: [0, 0, 9, 0, 9, 9]) }, dwells: dwells,
        memory: 30)
    }
    #expect(error?.message == message)
    #expect(error?.code.rawValue == "invalid-zone")
  }

  @Test func `names and stays are in the counts of named shapes alone`() throws {
    var table = try FrameCounters(
      lines: [CountedShape(points: [0, 0, 9, 9]), CountedShape(name: "door", points: [0, 0, 9, 9])],
      zones: [
        CountedShape(points: [0, 0, 9, 0, 9, 9]), CountedShape(name: "drive", points: [0, 0, 9, 0, 9, 9]),
      ], memory: 30
    ).table
    table.stays = [ZoneStays(), ZoneStays()]
    #expect(
      table.text == """
        line 1: 0 in, 0 out
        line door: 0 in, 0 out
        zone 1: 0 inside, 0 entered, 0 left, 0 vanished, 0 different
        zone drive: 0 inside, 0 entered, 0 left, 0 vanished, 0 different

        """)
    #expect(
      table.jsonLine
        == #"{"counts": {"lines": [{"in": 0, "out": 0}, {"name": "door", "in": 0, "out": 0}], "zones": ["#
        + #"{"inside": 0, "entered": 0, "left": 0, "vanished": 0, "distinct": 0}, {"name": "drive", "#
        + #""inside": 0, "entered": 0, "left": 0, "vanished": 0, "distinct": 0, "queue": 0, "longest": 0, "#
        + #""dwells": {"count": 0, "mean": null, "max": null}}]}}"# + "\n")
  }

  @Test func `notes number the lines and zones`() throws {
    let counters = try FrameCounters(
      lines: [[1, 1, 2, 2], [-1, -1, -2, -2]].map { CountedShape(points: $0) },
      zones: [[90, 0, 99, 0, 99, 9], [1, 1, 2, 1, 2, 2], [0, 90, 9, 90, 9, 99]].map {
        CountedShape(points: $0)
      }, memory: 30)
    let notes = counters.notes(outside: PixelSize(width: 50, height: 50))
    #expect(notes.map { $0.prefix(6) } == ["Line 2", "Zone 1", "Zone 3"])
  }
}
