// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTracking

/// Counts over time as CSV: a row for each line and zone in each interval.
///
/// The rows of a line or zone add up to its counts in the whole run. An interval without a frame has no rows,
/// because nothing was watched.
package struct CountIntervals: Sendable {
  /// The line with the names of the columns.
  package static let header = CSVFields.line([
    "start", "end", "shape", "name", "in", "out", "entered", "left", "vanished", "distinct", "inside",
    "inside_mean", "inside_max",
  ])
  /// The error of frame times, in seconds.
  private static let rounding = 1e-6

  private let length: Double
  private var clock = EventClock()
  /// The time of the first frame; nil before it.
  private var origin: Double?
  /// The number of the present interval, from 0.
  private var number = 0.0
  /// The time up to which the objects inside are counted.
  private var time = 0.0
  /// The counts at the start of the interval.
  private var first = CountTable()
  /// The counts after the last frame.
  private var last = CountTable()
  /// The objects inside × seconds of each zone in the interval.
  private var sums: [Double] = []
  /// The most objects that were inside each zone in the interval.
  private var most: [Int] = []
  /// The watched seconds of the interval.
  private var watched = 0.0

  /// Creates counts over time.
  /// - Parameter length: The length of an interval in seconds, more than 0.
  package init(every length: Double) { self.length = length }

  /// Processes the counts after a frame.
  /// - Parameters:
  ///   - table: The counts of the run so far.
  ///   - seconds: The time of the frame; a step back counts as no time.
  /// - Returns: The rows of the interval that ended before the frame; empty if none has.
  package mutating func update(_ table: CountTable, seconds: Double) -> String {
    clock.advance(to: seconds)
    guard let origin else {
      (origin, time) = (clock.now, clock.now)
      first = CountTable(
        lines: table.lines.map { _ in LineCounts() }, zones: table.zones.map { _ in ZoneCounts() })
      begin()
      take(table)
      return ""
    }
    var rows = ""
    let next = max(number, ((clock.now - origin + Self.rounding) / length).rounded(.down))
    if next > number {
      let end = origin + (number + 1) * length
      watch(until: end)
      rows = text(until: end)
      (number, first) = (next, last)
      begin()
      time = max(time, origin + number * length)
    }
    watch(until: clock.now)
    take(table)
    return rows
  }

  /// Returns the rows of the last interval, up to the last frame; empty without frames.
  package func finish() -> String { origin == nil ? "" : text(until: clock.now) }

  /// Starts an interval, in which nothing was seen yet.
  private mutating func begin() {
    sums = first.zones.map { _ in 0 }
    most = sums.map { _ in 0 }
    watched = 0
  }

  /// Counts the objects that are inside until a time.
  private mutating func watch(until end: Double) {
    let step = end - time
    guard step > 0 else { return }
    for (index, zone) in last.zones.enumerated() {
      sums[index] += Double(zone.inside) * step
      most[index] = max(most[index], zone.inside)
    }
    watched += step
    time = end
  }

  private mutating func take(_ table: CountTable) {
    last = table
    for (index, zone) in table.zones.enumerated() { most[index] = max(most[index], zone.inside) }
  }

  private func text(until end: Double) -> String {
    let origin = origin ?? 0
    let times = [origin + number * length, end].map { DecimalText.short($0, places: 3) }
    let lines = zip(last.names.allLines, zip(last.lines, first.lines)).map { name, counts in
      let (now, before) = counts
      return CSVFields.line(
        times + ["line", name, String(now.in - before.in), String(now.out - before.out)]
          + Array(repeating: "", count: 7))
    }
    let zones = last.zones.indices.map { index in
      let (now, before) = (last.zones[index], first.zones[index])
      let mean = watched > 0 ? sums[index] / watched : Double(now.inside)
      let changes = [
        now.entered - before.entered, now.left - before.left, now.vanished - before.vanished,
        now.distinct - before.distinct, now.inside,
      ]
      return CSVFields.line(
        times + ["zone", last.names.allZones[index], "", ""] + changes.map(String.init)
          + [DecimalText.short(mean, places: 6), String(most[index])])
    }
    return (lines + zones).joined()
  }
}
