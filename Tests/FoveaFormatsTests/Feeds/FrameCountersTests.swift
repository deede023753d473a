// SPDX-License-Identifier: Apache-2.0

import FoveaFormats
import FoveaGeometry
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
      linePoints: row.line.map { [$0] } ?? [], zonePoints: row.zone.map { [$0] } ?? [], memory: 30)
    let name = row.line == nil ? "Zone 1" : "Line 1"
    let note =
      "\(name) is outside the frame of 640 × 480 pixels; give its points in pixels from the top left corner"
    #expect(counters.notes(outside: PixelSize(width: 640, height: 480)) == (row.isOutside ? [note] : []))
  }

  @Test func `notes number the lines and zones`() throws {
    let counters = try FrameCounters(
      linePoints: [[1, 1, 2, 2], [-1, -1, -2, -2]],
      zonePoints: [[90, 0, 99, 0, 99, 9], [1, 1, 2, 1, 2, 2], [0, 90, 9, 90, 9, 99]], memory: 30)
    let notes = counters.notes(outside: PixelSize(width: 50, height: 50))
    #expect(notes.map { $0.prefix(6) } == ["Line 2", "Zone 1", "Zone 3"])
  }
}
