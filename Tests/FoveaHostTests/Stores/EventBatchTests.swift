// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// Batches of events, whose rows are read and written together.
@Suite struct EventBatchTests {
  let folder: TemporaryFolder
  let other: TemporaryFolder

  init() throws { (folder, other) = (try TemporaryFolder(), try TemporaryFolder()) }

  private static let metrics = [
    "a": ExperimentMetric(name: "seen", kind: .mean, window: 50),
    "b": ExperimentMetric(name: "seen", kind: .conversion, window: 80),
  ]

  private static func add(to store: MetadataStore) async throws {
    for (id, metric) in metrics {
      _ = try await store.addExperiment(project: "demo", model: nil, entry: HostSamples.entry()) { _, _ in
        HostSamples.experiment(id, metric: metric)
      }
    }
  }

  private static func batch(_ entries: [EventBatch.Entry], generation: Int = 7) -> EventBatch {
    var batch = EventBatch(project: "demo", generation: generation)
    batch.entries = entries
    // As in an intake, one that was deleted meanwhile is named, too.
    batch.metrics = metrics.merging(["gone": ExperimentMetric(name: "seen")]) { first, _ in first }
    return batch
  }

  /// Events of few units, so that they meet, with ids that repeat and values in and beyond windows.
  ///
  /// The values are whole, so that their sums are exact.
  private static func entries(_ count: Int, _ random: inout SeededGenerator) -> [EventBatch.Entry] {
    (0..<count).map { _ in
      let unit = Int64(random.below(6))
      let time = Timestamp(milliseconds: Int64(random.below(100_000)))
      let exposure = EventBatch.Effect.exposure(
        experiment: ["a", "b", "gone"][random.below(3)], variant: Int(unit) % 2, period: random.below(2))
      let metric = EventBatch.Effect.metric(
        experiments: [["a", "b"], ["a"], ["b", "gone"], []][random.below(4)],
        value: Double(random.below(7) - 3))
      return EventBatch.Entry(
        id: Int64(random.below(count * 2)) - Int64(count), unit: unit, time: time,
        effect: random.below(8) == 0 ? exposure : metric)
    }
  }

  @Test(arguments: TestDatabase.present, 0..<2)
  func `batches count as their events one by one do`(database: TestDatabase, seed: Int) async throws {
    let stores = (try database.store(in: folder), try database.store(in: other))
    try await Self.add(to: stores.0)
    try await Self.add(to: stores.1)
    var random = SeededGenerator(seed: UInt64(seed))
    var tallies = (EventTally(), EventTally())
    // The last two are of another generation, in which the ids of the one before are known.
    for (count, generation) in [(1, 7), (120, 7), (40, 7), (150, 8), (30, 8)] {
      let entries = Self.entries(count, &random)
      let tally = try await stores.0.count(Self.batch(entries, generation: generation))
      tallies.0.counted += tally.counted
      tallies.0.repeated += tally.repeated
      for entry in entries {
        let tally = try await stores.1.count(Self.batch([entry], generation: generation))
        tallies.1.counted += tally.counted
        tallies.1.repeated += tally.repeated
      }
    }
    #expect(tallies.0 == tallies.1 && tallies.0.repeated > 30)
    for id in ["a", "b"] {
      let sums = try await stores.0.sums(project: "demo", experiment: id)
      #expect(try await sums == stores.1.sums(project: "demo", experiment: id))
      #expect(sums.days.reduce(0) { $0 + $1.units } > 2)
    }
  }

  @Test(arguments: TestDatabase.present)
  func `twenty values of a unit wait for its exposure, whichever batches they came in`(
    database: TestDatabase
  ) async throws {
    let store = try database.store(in: folder)
    try await Self.add(to: store)
    func event(_ id: Int64, _ effect: EventBatch.Effect) -> EventBatch.Entry {
      EventBatch.Entry(id: id, unit: 1, time: Timestamp(milliseconds: 10_000), effect: effect)
    }
    func value(_ id: Int64) -> EventBatch.Entry { event(id, .metric(experiments: ["a"], value: 1)) }
    let exposure = event(0, .exposure(experiment: "a", variant: 0, period: 0))
    _ = try await store.count(Self.batch((1...15).map(value)))
    _ = try await store.count(Self.batch((16...30).map(value) + [exposure] + (31...33).map(value)))
    let sums = try await store.sums(project: "demo", experiment: "a")
    #expect(sums.days.map(\.sum) == [23] && sums.days.map(\.units) == [1])
    let left = try await store.read { try $0.value(Int.self, "SELECT count(*) FROM waitingValue") }
    #expect(left == 0)
  }

  @Test(
    arguments: [
      (0, 1, []), (1, 1, [1]), (500, 1, [256, 128, 64, 32, 16, 4]), (900, 1, [512, 256, 128, 4]),
      (1_024, 1, [512, 512]), (257, 6, [128, 128, 1]), (3, 900, [1, 1, 1]),
    ] as [(Int, Int, [Int])])
  func `lists are divided into powers of two`(count: Int, width: Int, lengths: [Int]) {
    let parts = StatementParts.of(Array(0..<count), width: width)
    #expect(parts.map(\.count) == lengths)
    #expect(parts.flatMap { $0 } == Array(0..<count))
    #expect(parts.allSatisfy { $0.count * width <= StatementParts.most })
  }
}
#endif
