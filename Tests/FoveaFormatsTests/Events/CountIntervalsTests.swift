// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTracking
import Testing

@testable import FoveaFormats

@Suite struct CountIntervalsTests {
  /// Rows as fields, without the header.
  private static func fields(_ text: String) -> [[String]] {
    text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Counters with a line at x = 50 and a zone from x = 50 to 100.
  private static func counters() throws -> FrameCounters {
    try FrameCounters(
      lines: [CountedShape(name: "door", points: [50, 0, 50, 200])],
      zones: [CountedShape(points: [50, 0, 100, 0, 100, 200, 50, 200])], memory: 30)
  }

  /// Runs objects, as identity and x, through counters.
  private static func rows(
    every length: Double, _ frames: [(seconds: Double, objects: [(Int, Double)])]
  ) throws -> (text: String, total: CountTable) {
    var counters = try counters()
    var intervals = CountIntervals(every: length)
    var text = ""
    for frame in frames {
      counters.update(
        frame.objects.map { identity, x in
          DetectedObject(
            box: BoundingBox(x: x - 5, y: 80, width: 10, height: 20), score: 0.9, labels: [],
            trackingID: identity)
        }, known: frame.objects.map { $0.0 })
      text += intervals.update(counters.table, seconds: frame.seconds)
    }
    return (text + intervals.finish(), counters.table)
  }

  @Test func `rows add up to the counts of the run`() throws {
    // Walkers to and fro with different periods; some vanish inside.
    let frames = (0..<600).map { frame in
      let objects = (1...5).compactMap { identity -> (Int, Double)? in
        let place = (frame * identity + 40 * identity) % 240
        let isGone = identity == 4 && frame % 90 > 60
        return isGone ? nil : (identity, Double(place < 120 ? place : 240 - place))
      }
      return (seconds: Double(frame) / 10 + 3, objects: objects)
    }
    for length in [1.0, 7.3, 60, 1_000] {
      let (text, total) = try Self.rows(every: length, frames)
      let rows = Self.fields(text)
      func sum(_ shape: String, _ column: Int) -> Int {
        rows.filter { $0[2] == shape }.reduce(0) { $0 + (Int($1[column]) ?? -1_000) }
      }
      #expect(sum("line", 4) == total.lines[0].in && sum("line", 5) == total.lines[0].out)
      let zone = total.zones[0]
      #expect(
        [6, 7, 8, 9].map { sum("zone", $0) } == [zone.entered, zone.left, zone.vanished, zone.distinct])
      #expect(zone.vanished > 0 && zone.left > 0 && total.lines[0].out > 0)
      #expect(rows.last?[10] == String(zone.inside))
      #expect(rows.first?[0] == "3" && rows.last?[1] == "62.9")
      #expect(rows.count == 2 * Int((59.9 / length).rounded(.down) + 1))
    }
  }

  @Test func `means are weighted by time, also across the end of an interval`() throws {
    // Inside from 0.5 to 2.5 seconds, then outside; the frames are not regular.
    let (text, _) = try Self.rows(
      every: 1,
      [(0, [(1, 20)]), (0.5, [(1, 70)]), (1.9, [(1, 72), (2, 80)]), (2.5, [(1, 130)]), (3, [])])
    let means = Self.fields(text).filter { $0[2] == "zone" }.map { [$0[0], $0[1], $0[10], $0[11], $0[12]] }
    #expect(
      means == [
        ["0", "1", "1", "0.5", "1"], ["1", "2", "2", "1.1", "2"], ["2", "3", "0", "1", "2"],
        ["3", "3", "0", "0", "0"],
      ])
  }

  @Test func `an interval without a frame has no rows, and unnamed shapes have numbers`() throws {
    let (text, _) = try Self.rows(every: 10, [(0, [(1, 20)]), (1, [(1, 70)]), (3_605, [(1, 20)])])
    #expect(
      text == """
        0,10,line,door,0,1,,,,,,,
        0,10,zone,zone-1,,,1,0,0,1,1,0.9,1
        3600,3605,line,door,1,0,,,,,,,
        3600,3605,zone,zone-1,,,0,1,0,0,0,1,1

        """)
  }

  @Test(arguments: [[5.0, 1, 1.5], [5, .nan, 5.5]])
  func `times that step back are no time`(_ times: [Double]) throws {
    let (text, total) = try Self.rows(every: 1, times.map { ($0, [(1, 70)]) })
    #expect(Self.fields(text).map { $0[1] } == ["5.5", "5.5"])
    #expect(total.zones[0].entered == 1)
  }

  @Test func `without frames there are no rows`() {
    #expect(CountIntervals(every: 1).finish() == "")
    #expect(CountIntervals.header.hasPrefix("start,end,shape,name,in,out,"))
  }
}
