// SPDX-License-Identifier: Apache-2.0
#if Server

/// The counts of load reports, and the decision whether a rollout fails.
struct LoadTally {
  /// All counts, by the id of the model.
  private var counts: [String: [LoadKey: LoadCount]] = [:]
  /// The counts not written yet.
  private var new: [LoadKey: LoadCount] = [:]
  private var reporters = LoadReporters()

  /// The result of a report: it may count, and show that the version of the model's rollout fails.
  struct Entry: Equatable {
    var counts = false
    var isFailing = false
  }

  /// Replaces all counts by those that were written, by any host, and those that are not written yet.
  mutating func restore(_ written: [LoadKey: LoadCount]) {
    counts = [:]
    for (key, count) in written { counts[key.model, default: [:]][key] = count }
    for (key, count) in new { counts[key.model, default: [:]][key, default: LoadCount()] += count }
  }

  /// Counts a report, unless its device or network has had its share.
  mutating func enter(
    _ outcome: LoadService.Outcome, of version: Int, _ model: HostModel, by reporter: LoadReporter,
    at time: Timestamp
  ) -> Entry {
    guard reporters.enter(outcome, of: version, model, by: reporter, at: time) else { return Entry() }
    let key = LoadKey(model, version: version)
    counts[model.id, default: [:]][key, default: LoadCount()] += outcome.count
    new[key, default: LoadCount()] += outcome.count
    guard outcome != .loaded, let rollout = model.rollout, rollout.version == version, let run = rollout.run
    else { return Entry(counts: true) }
    reporters.enterFailure(model: model.id, run: run, network: reporter.network)
    let networks = reporters.failingNetworks(model: model.id, run: run)
    return Entry(
      counts: true, isFailing: model.hasFailingRollout(counts[model.id] ?? [:], seenIn: networks))
  }

  /// Returns the counts of each version of a model.
  func versions(of model: String) -> [Int: LoadCount] {
    counts[model, default: [:]].reduce(into: [:]) { versions, entry in
      versions[entry.key.version, default: LoadCount()] += entry.value
    }
  }

  /// Returns the counts to write, and forgets that they are new.
  mutating func takeNew() -> [LoadKey: LoadCount] {
    defer { new = [:] }
    return new
  }

  /// Keeps counts that could not be written for the next time.
  mutating func keep(_ unwritten: [LoadKey: LoadCount]) {
    for (key, count) in unwritten { new[key, default: LoadCount()] += count }
  }
}

extension LoadService.Outcome {
  /// One report with this outcome.
  fileprivate var count: LoadCount {
    var count = LoadCount()
    switch self {
    case .loaded: count.loaded = 1
    case .failed: count.failed = 1
    case .left: count.abandoned = 1
    }
    return count
  }
}
#endif
