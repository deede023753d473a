// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// Counts the events of a batch within one transaction.
///
/// Sums are kept by the day on which the window of a unit closes, and follow each change of the unit's value;
/// so a report adds up days, independent of the number of units and events.
struct EventCounting {
  /// The row of sums to which the figures of a unit belong.
  private struct Place: Hashable {
    let experiment: Int64
    let period: Int
    let day: Int64
    let variant: Int
  }

  private struct Change {
    var units = 0
    var sum = 0.0
    var squares = 0.0
  }

  /// The maximum number of values that wait for the exposure of one unit.
  private static let mostWaiting = 20

  private let database: any SQLConnection
  private let batch: EventBatch
  private var keys: [String: Int64] = [:]
  private var changes: [Place: Change] = [:]

  init(_ batch: EventBatch, _ database: any SQLConnection) {
    self.batch = batch
    self.database = database
  }

  mutating func run() throws -> EventTally {
    for id in batch.metrics.keys { keys[id] = try key(id) }
    var tally = EventTally()
    for entry in batch.entries {
      guard try isNew(entry.id) else {
        tally.repeated += 1
        continue
      }
      tally.counted += 1
      switch entry.effect {
      case .exposure(let experiment, let variant, let period):
        try expose(entry, experiment, variant, period)
      case .metric(let experiments, let value):
        for experiment in experiments { try add(value, entry, experiment) }
      }
    }
    try writeChanges()
    try writeRefusals()
    return tally
  }

  private func key(_ id: String) throws -> Int64? {
    try database.value(
      Int64.self, "SELECT key FROM experiment WHERE project = ? AND id = ?", [batch.project, id])
  }

  /// Records an event's id; returns false if it is already recorded.
  private func isNew(_ id: Int64) throws -> Bool {
    let found = try database.value(
      Int.self, "SELECT 1 FROM countedEvent WHERE generation = ? AND id = ?", [batch.generation - 1, id])
    guard found == nil else { return false }
    return try database.execute(
      "INSERT INTO countedEvent (generation, id) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [batch.generation, id]) == 1
  }

  private mutating func expose(
    _ entry: EventBatch.Entry, _ experiment: String, _ variant: Int, _ period: Int
  ) throws {
    guard let key = keys[experiment], let metric = batch.metrics[experiment] else { return }
    let isFirst =
      try database.execute(
        """
        INSERT INTO experimentUnit (experiment, unit, variant, period, exposed, value)
        VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING
        """, [key, entry.unit, variant, period, entry.time.milliseconds]) == 1
    // Only the first exposure counts.
    guard isFirst else { return }
    let place = Place(
      experiment: key, period: period, day: metric.closingDay(exposed: entry.time), variant: variant)
    changes[place, default: Change()].units += 1
    for value in try waiting(key, entry.unit) where metric.counts(value.time, exposed: entry.time) {
      try add(value.value, entry, experiment)
    }
  }

  /// Removes and returns the values that wait for a unit.
  private func waiting(_ key: Int64, _ unit: Int64) throws -> [(time: Timestamp, value: Double)] {
    let rows = try database.rows(
      "SELECT time, value FROM waitingValue WHERE experiment = ? AND unit = ? ORDER BY time", [key, unit])
    guard !rows.isEmpty else { return [] }
    try database.execute("DELETE FROM waitingValue WHERE experiment = ? AND unit = ?", [key, unit])
    return try rows.map { (try $0.timestamp("time"), try $0.decode(forColumn: "value")) }
  }

  private mutating func add(_ value: Double, _ entry: EventBatch.Entry, _ experiment: String) throws {
    guard let key = keys[experiment], let metric = batch.metrics[experiment] else { return }
    let row = try database.row(
      "SELECT variant, period, exposed, value FROM experimentUnit WHERE experiment = ? AND unit = ?",
      [key, entry.unit])
    guard let row else { return try wait(value, entry, key) }
    let exposed = try row.timestamp("exposed")
    guard metric.counts(entry.time, exposed: exposed) else { return }
    let old: Double = try row.decode(forColumn: "value")
    let new = metric.kind == .conversion ? 1 : old + value
    guard new != old, (new * new).isFinite else { return }
    try database.execute(
      "UPDATE experimentUnit SET value = ? WHERE experiment = ? AND unit = ?", [new, key, entry.unit])
    let place = Place(
      experiment: key, period: try row.decode(forColumn: "period"),
      day: metric.closingDay(exposed: exposed), variant: try row.decode(forColumn: "variant"))
    changes[place, default: Change()].sum += new - old
    changes[place, default: Change()].squares += new * new - old * old
  }

  private func wait(_ value: Double, _ entry: EventBatch.Entry, _ key: Int64) throws {
    try database.execute(
      """
      INSERT INTO waitingValue (experiment, unit, generation, time, value) SELECT ?, ?, ?, ?, ?
      WHERE (SELECT count(*) FROM waitingValue WHERE experiment = ? AND unit = ?) < ?
      """,
      [
        key, entry.unit, batch.generation, entry.time.milliseconds, value, key, entry.unit, Self.mostWaiting,
      ])
  }

  private func writeChanges() throws {
    for (place, change) in changes {
      try database.execute(
        """
        INSERT INTO experimentSum (experiment, period, day, variant, units, sum, squares)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (experiment, period, day, variant) DO UPDATE SET
          units = experimentSum.units + excluded.units, sum = experimentSum.sum + excluded.sum,
          squares = experimentSum.squares + excluded.squares
        """,
        [
          place.experiment, place.period, place.day, place.variant, change.units, change.sum, change.squares,
        ])
    }
  }

  private func writeRefusals() throws {
    for (experiment, reasons) in batch.refusals {
      guard let key = try key(experiment) else { continue }
      for (reason, count) in reasons {
        try database.execute(
          """
          INSERT INTO experimentRefusal (experiment, reason, count) VALUES (?, ?, ?)
          ON CONFLICT (experiment, reason) DO UPDATE SET count = experimentRefusal.count + excluded.count
          """, [key, reason, count])
      }
    }
  }
}

extension ExperimentMetric {
  /// Returns whether an event counts for a unit: from its exposure until its window closes, both included.
  package func counts(_ time: Timestamp, exposed: Timestamp) -> Bool {
    time >= exposed && time <= exposed.advanced(seconds: Double(window))
  }

  /// Returns the day on which the window of a unit closes, in days since 1970-01-01.
  package func closingDay(exposed: Timestamp) -> Int64 { exposed.advanced(seconds: Double(window)).day }
}

extension Timestamp {
  /// Days since 1970-01-01, rounded down.
  package var day: Int64 {
    let (quotient, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    return rest < 0 ? quotient - 1 : quotient
  }
}
#endif
