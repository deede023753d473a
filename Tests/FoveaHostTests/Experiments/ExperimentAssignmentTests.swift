// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels
import Testing

@testable import FoveaHost

@Suite struct ExperimentAssignmentTests {
  private static let time = Timestamp(milliseconds: 1_800_000_000_000)

  private static func experiment(
    _ id: String = "e", weights: [Int] = [50, 50], among others: [Experiment] = [],
    _ change: (inout ExperimentDraft) -> Void = { _ in }
  ) throws -> Experiment {
    var draft = ExperimentDraft(
      id: id, variants: weights.map { ExperimentDraft.Variant(weight: $0) },
      metric: ExperimentDraft.Metric(name: "m"))
    change(&draft)
    return try draft.experiment(project: "p", among: others, model: nil, seed: "seed-\(id)", at: time)
  }

  private static let units = (0..<3_000).map { "device-\($0)" }

  @Test(
    arguments: [
      ([], 10, 100, 0, 100), ([], 100, 100, 0, 100), ([], 101, 100, nil, 100), ([], 1, 0, nil, 0),
      ([0..<50], 50, 100, 50, 50), ([0..<50], 51, 100, nil, 50), ([50..<100], 50, 100, 0, 50),
      ([0..<10, 30..<40], 20, 100, 10, 20), ([30..<40, 0..<10], 21, 100, 40, 60),
      ([0..<10, 30..<40], 70, 100, nil, 60), ([0..<90], 10, 90, nil, 0),
    ] as [([Range<Int>], Int, Int, Int?, Int)])
  func `a layer assigns its lowest free range that is wide enough`(
    _ taken: [Range<Int>], _ width: Int, _ limit: Int, _ start: Int?, _ widest: Int
  ) {
    let ranges = taken.map {
      DrawRange(seed: "s", start: $0.lowerBound, end: $0.upperBound, holdout: limit)
    }
    let found = DrawRange.free(width: width, below: limit, among: ranges)
    #expect(found.start == start)
    if start == nil { #expect(found.widest == widest) }
  }

  @Test(
    arguments: [
      ([50, 50], 0, 100, [(0, 0), (49, 0), (50, 1), (99, 1), (100, nil)]),
      ([1, 2], 10, 40, [(9, nil), (10, 0), (19, 0), (20, 1), (39, 1), (40, nil)]),
      ([1], 0, 1, [(0, 0), (1, nil), (-1, nil)]),
      ([1, 1_000_000], 0, 10, [(0, 1), (9, 1)]),
      ([1, 1, 1], 0, 100, [(32, 0), (33, 1), (65, 1), (66, 2), (99, 2)]),
    ] as [([Int], Int, Int, [(Int, Int?)])])
  func `a hash belongs to the variant whose range it is in`(
    _ weights: [Int], _ start: Int, _ end: Int, _ expected: [(Int, Int?)]
  ) {
    let range = DrawRange(seed: "s", start: start, end: end, holdout: 100)
    for (hash, variant) in expected { #expect(range.index(of: hash, weights) == variant, "\(hash)") }
    #expect(range.bounds(weights).last == end)
  }

  @Test func `a device that assigns itself from the segments gets the host's assignment`() throws {
    var experiment = try Self.experiment(weights: [1, 2, 7]) { $0.share = 60 }
    for (index, unit) in Self.units.prefix(20).enumerated() {
      try experiment.setOverride(["a", "b", "c"][index % 3], of: unit)
    }
    let segments = experiment.segments
    #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.below < $1.below })
    for unit in Self.units {
      let hash = PercentHash.value(seed: experiment.range.seed, id: unit)
      let variant = segments.first { hash < $0.below }?.variant
      #expect(variant.map { experiment.variants[$0].id } == experiment.variant(of: unit)?.id)
    }
  }

  @Test func `a device that is no longer a test device gains its random variant`() throws {
    let plain = try Self.experiment()
    for unit in Self.units.prefix(20) {
      let own = try #require(plain.variant(of: unit)?.id)
      for id in plain.variants.map(\.id) {
        var tested = plain
        try tested.setOverride(id, of: unit)
        var cleared = tested
        try cleared.setOverride(nil, of: unit)
        #expect(tested.variantsGained(since: plain).map(\.id) == (id == own ? [] : [id]))
        #expect(cleared.variantsGained(since: tested).map(\.id) == (id == own ? [] : [own]))
      }
    }
  }

  @Test func `a paused experiment and an empty id assign nothing`() throws {
    var experiment = try Self.experiment()
    #expect(experiment.variant(of: "") == nil)
    #expect(experiment.variant(of: "device-1") != nil)
    try experiment.pause(at: Self.time.advanced(seconds: 1))
    #expect(experiment.variant(of: "device-1") == nil)
    #expect(experiment.segments.isEmpty)
  }

  @Test func `experiments of a layer share no unit, and exclude the holdout`() throws {
    let first = try Self.experiment("one") { ($0.layer, $0.share, $0.holdout) = ("l", 40, 20) }
    let second = try Self.experiment("two", among: [first]) { ($0.layer, $0.share) = ("l", 40) }
    #expect(first.range.seed == second.range.seed)
    var counts = [0, 0, 0]
    for unit in Self.units {
      let found = [first, second].map { $0.variant(of: unit) != nil }
      #expect(found != [true, true])
      counts[found[0] ? 0 : found[1] ? 1 : 2] += 1
    }
    // Four standard deviations of 3,000 assignments.
    for (count, share) in zip(counts, [0.4, 0.4, 0.2]) {
      #expect(abs(Double(count) - 3_000 * share) < 4 * (3_000 * share * (1 - share)).squareRoot())
    }
    // A finished experiment returns its range.
    let full = #expect(throws: HostError.self) {
      try Self.experiment("three", among: [first, second]) { ($0.layer, $0.share) = ("l", 1) }
    }
    #expect(full?.code == .precondition)
    var ended = first
    try ended.stop(at: Self.time)
    let third = try Self.experiment("three", among: [ended, second]) { ($0.layer, $0.share) = ("l", 40) }
    #expect(third.range.start == first.range.start)
  }

  @Test func `other weights move only the units between the old and the new bounds`() throws {
    var experiment = try Self.experiment(weights: [90, 10])
    let before = Self.units.map { experiment.variant(of: $0)?.id }
    try experiment.setWeights([50, 50], at: Self.time.advanced(seconds: 60))
    let after = Self.units.map { experiment.variant(of: $0)?.id }
    for (old, new) in zip(before, after) where old == "b" { #expect(new == "b") }
    #expect(before != after)
    // The row of an exposure determines its variant.
    let moved = try #require(zip(Self.units, zip(before, after)).first { $0.1.0 != $0.1.1 }).0
    #expect(experiment.assignment(of: moved, at: Self.time.advanced(seconds: 1))?.variant == 0)
    #expect(experiment.assignment(of: moved, at: Self.time.advanced(seconds: 61))?.variant == 1)
    #expect(experiment.assignment(of: moved, at: Self.time.advanced(seconds: -1)) == nil)
  }

  @Test(
    arguments: [
      { $0.share = 0 }, { $0.share = 100.5 }, { $0.share = -1 }, { $0.share = .nan }, { $0.holdout = 100 },
      { ($0.share, $0.holdout) = (90, 20) }, { $0.layer = "l" }, { $0.layer = "no layer" },
      { ($0.layer, $0.share, $0.holdout) = ("l", 90, 20) },
    ] as [@Sendable (inout ExperimentDraft) -> Void])
  func `impossible shares are rejected`(_ change: @Sendable (inout ExperimentDraft) -> Void) {
    #expect(throws: HostError.self) { try Self.experiment(change) }
  }
}

extension ExperimentAssignmentTests {
  private static func experiment(_ change: (inout ExperimentDraft) -> Void) throws -> Experiment {
    try experiment("e", change)
  }
}
#endif
