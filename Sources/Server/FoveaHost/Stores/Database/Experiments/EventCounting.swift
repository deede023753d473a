// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// Counts the events of a batch within one transaction.
///
/// Sums are kept by the day on which the window of a unit closes, and follow each change of the unit's value;
/// so a report adds up days, independent of the number of units and events. The rows of all units are read
/// and written together: a batch of 500 events takes some thirty statements.
struct EventCounting {
  /// The row of a unit, by the key of its experiment.
  private struct Place: Hashable {
    let experiment: Int64
    let unit: Int64
  }

  private struct Unit {
    let variant: Int
    let period: Int
    let exposed: Timestamp
    var value = 0.0
    /// True if it differs from its row, or has none.
    var isChanged = false
  }

  /// A value that arrived before the exposure of its unit.
  private struct Waiting {
    let time: Timestamp
    let value: Double
    let isStored: Bool
  }

  /// The row of sums to which the figures of a unit belong.
  private struct Day: Hashable {
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
  private var units: [Place: Unit] = [:]
  private var waiting: [Place: [Waiting]] = [:]
  /// Units whose stored values wait no more.
  private var released: [Place] = []
  private var changes: [Day: Change] = [:]

  init(_ batch: EventBatch, _ database: any SQLConnection) {
    self.batch = batch
    self.database = database
  }

  mutating func run() throws -> EventTally {
    for id in batch.metrics.keys { keys[id] = try key(id) }
    var new = try recordedIDs()
    try readUnits(of: batch.entries.filter { new.contains($0.id) })
    var tally = EventTally()
    for entry in batch.entries {
      guard new.remove(entry.id) != nil else {
        tally.repeated += 1
        continue
      }
      tally.counted += 1
      switch entry.effect {
      case .exposure(let experiment, let variant, let period):
        expose(entry, experiment, variant, period)
      case .metric(let experiments, let value):
        for experiment in experiments { take(value, entry, experiment) }
      }
    }
    try writeUnits()
    try writeWaiting()
    try writeChanges()
    try writeRefusals()
    return tally
  }

  private func key(_ id: String) throws -> Int64? {
    try database.value(
      Int64.self, "SELECT key FROM experiment WHERE project = ? AND id = ?", [batch.project, id])
  }

  /// Records the ids of the batch, and returns those that were not recorded before.
  private func recordedIDs() throws -> Set<Int64> {
    let ids = Set(batch.entries.map(\.id))
    let rows = try database.rows(
      "SELECT id FROM countedEvent WHERE generation IN (?, ?) AND id IN",
      [batch.generation - 1, batch.generation], in: Array(ids))
    let new = ids.subtracting(try rows.map { try $0.decode(Int64.self, forColumn: "id") })
    try database.insert(
      "INSERT INTO countedEvent (generation, id) VALUES",
      new.map { id -> SQLArguments in [batch.generation, id] })
    return new
  }

  // MARK: Units

  /// Reads the units of events, and the values that wait for those without an exposure.
  private mutating func readUnits(of entries: [EventBatch.Entry]) throws {
    var wanted: [Int64: Set<Int64>] = [:]
    for entry in entries {
      for key in entry.effect.experiments.compactMap({ keys[$0] }) {
        wanted[key, default: []].insert(entry.unit)
      }
    }
    for (key, all) in wanted {
      var absent = all
      for row in try database.rows(
        "SELECT unit, variant, period, exposed, value FROM experimentUnit WHERE experiment = ? AND unit IN",
        [key], in: Array(all))
      {
        let unit: Int64 = try row.decode(forColumn: "unit")
        units[Place(experiment: key, unit: unit)] = Unit(
          variant: try row.decode(forColumn: "variant"), period: try row.decode(forColumn: "period"),
          exposed: try row.timestamp("exposed"), value: try row.decode(forColumn: "value"))
        absent.remove(unit)
      }
      for row in try database.rows(
        "SELECT unit, time, value FROM waitingValue WHERE experiment = ? AND unit IN", [key],
        in: Array(absent))
      {
        let place = Place(experiment: key, unit: try row.decode(forColumn: "unit"))
        waiting[place, default: []].append(
          Waiting(
            time: try row.timestamp("time"), value: try row.decode(forColumn: "value"), isStored: true))
      }
    }
  }

  private mutating func expose(
    _ entry: EventBatch.Entry, _ experiment: String, _ variant: Int, _ period: Int
  ) {
    guard let key = keys[experiment], let metric = batch.metrics[experiment] else { return }
    let place = Place(experiment: key, unit: entry.unit)
    // Only the first exposure counts.
    guard units[place] == nil else { return }
    units[place] = Unit(variant: variant, period: period, exposed: entry.time, isChanged: true)
    let day = Day(
      experiment: key, period: period, day: metric.closingDay(exposed: entry.time), variant: variant)
    changes[day, default: Change()].units += 1
    let values = waiting.removeValue(forKey: place) ?? []
    if values.contains(where: \.isStored) { released.append(place) }
    for value in values.sorted(by: { $0.time < $1.time }) {
      add(value.value, at: value.time, to: place, metric)
    }
  }

  /// Adds a value to a unit, or keeps it until the unit is exposed.
  private mutating func take(_ value: Double, _ entry: EventBatch.Entry, _ experiment: String) {
    guard let key = keys[experiment], let metric = batch.metrics[experiment] else { return }
    let place = Place(experiment: key, unit: entry.unit)
    if units[place] != nil {
      add(value, at: entry.time, to: place, metric)
    } else if waiting[place, default: []].count < Self.mostWaiting {
      waiting[place, default: []].append(Waiting(time: entry.time, value: value, isStored: false))
    }
  }

  private mutating func add(_ value: Double, at time: Timestamp, to place: Place, _ metric: ExperimentMetric)
  {
    guard let unit = units[place], metric.counts(time, exposed: unit.exposed) else { return }
    let old = unit.value
    let new = metric.kind == .conversion ? 1 : old + value
    guard new != old, (new * new).isFinite else { return }
    units[place]?.value = new
    units[place]?.isChanged = true
    let day = Day(
      experiment: place.experiment, period: unit.period, day: metric.closingDay(exposed: unit.exposed),
      variant: unit.variant)
    changes[day, default: Change()].sum += new - old
    changes[day, default: Change()].squares += new * new - old * old
  }

  // MARK: Writing

  private func writeUnits() throws {
    let rows = units.filter(\.value.isChanged).map { place, unit -> SQLArguments in
      [place.experiment, place.unit, unit.variant, unit.period, unit.exposed.milliseconds, unit.value]
    }
    try database.insert(
      "INSERT INTO experimentUnit (experiment, unit, variant, period, exposed, value) VALUES", rows,
      "ON CONFLICT (experiment, unit) DO UPDATE SET value = excluded.value")
  }

  private func writeWaiting() throws {
    for (key, places) in Dictionary(grouping: released, by: \.experiment) {
      try database.execute(
        "DELETE FROM waitingValue WHERE experiment = ? AND unit IN", [key], in: places.map(\.unit))
    }
    let rows = waiting.flatMap { place, values in
      values.filter { !$0.isStored }.map { value -> SQLArguments in
        [place.experiment, place.unit, batch.generation, value.time.milliseconds, value.value]
      }
    }
    try database.insert(
      "INSERT INTO waitingValue (experiment, unit, generation, time, value) VALUES", rows)
  }

  private func writeChanges() throws {
    for (day, change) in changes {
      try database.execute(
        """
        INSERT INTO experimentSum (experiment, period, day, variant, units, sum, squares)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (experiment, period, day, variant) DO UPDATE SET
          units = experimentSum.units + excluded.units, sum = experimentSum.sum + excluded.sum,
          squares = experimentSum.squares + excluded.squares
        """,
        [
          day.experiment, day.period, day.day, day.variant, change.units, change.sum, change.squares,
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

extension EventBatch.Effect {
  /// The ids of the experiments that it is about.
  fileprivate var experiments: [String] {
    switch self {
    case .exposure(let experiment, _, _): [experiment]
    case .metric(let experiments, _): experiments
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
