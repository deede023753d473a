// SPDX-License-Identifier: Apache-2.0
#if Server
/// The sender of a load report.
package struct LoadReporter: Sendable, Hashable {
  /// The id of an installation that presented its token; nil for a device without a token.
  package let installation: String?
  /// The network from which the report was sent.
  package let network: String
}

/// A record of senders and their reports, so that one device or network is not counted many times.
///
/// Forgets reports older than a day or than the last hundred thousand; uses a few megabytes at most.
struct LoadReporters {
  /// The maximum number of counted reports of one network about one version with one outcome.
  static let mostOfNetwork = 20
  /// The number of networks that have to report failures of a version before its rollout is halted.
  static let networksToHalt = 5
  /// The same, if too few loads of the stable version were reported for a comparison.
  static let networksToHaltAlone = 20

  private struct Topic: Hashable {
    let key: LoadKey
    let outcome: LoadService.Outcome
  }

  private struct Generation {
    var reporters: Set<Int> = []
    /// The number of counted reports of a network about a topic.
    var networks: [Int: Int] = [:]
  }

  private struct Run: Hashable {
    let model: String
    let run: Int64
  }

  private static let most = 100_000
  private static let lifetime = 86_400.0
  private var now = Generation()
  private var before = Generation()
  private var began: Timestamp?
  /// Networks whose devices reported that the version of a rollout does not load.
  private var bad: [Run: Set<String>] = [:]

  /// Records a report.
  /// - Returns: Whether it counts.
  mutating func enter(
    _ outcome: LoadService.Outcome, _ key: LoadKey, of reporter: LoadReporter, at time: Timestamp
  ) -> Bool {
    age(at: time)
    let topic = Topic(key: key, outcome: outcome)
    // An installation that moves between networks is one device.
    let person = Self.hash(
      topic, reporter.installation.map { LoadReporter(installation: $0, network: "") } ?? reporter)
    guard !now.reporters.contains(person), !before.reporters.contains(person) else { return false }
    let network = Self.hash(topic, LoadReporter(installation: nil, network: reporter.network))
    let count = now.networks[network, default: 0] + before.networks[network, default: 0]
    guard count < Self.mostOfNetwork else { return false }
    now.reporters.insert(person)
    now.networks[network, default: 0] += 1
    return true
  }

  /// Records a network in which the version of a rollout does not load.
  mutating func enterFailure(model: String, run: Int64, network: String) {
    let key = Run(model: model, run: run)
    // Only the running rollout of a model counts.
    if bad[key] == nil { bad = bad.filter { $0.key.model != model } }
    guard bad[key, default: []].count < Self.networksToHaltAlone else { return }
    bad[key, default: []].insert(network)
  }

  /// Returns the number of networks in which the version of a rollout fails, up to the number needed to halt
  /// it.
  func failingNetworks(model: String, run: Int64) -> Int { bad[Run(model: model, run: run)]?.count ?? 0 }

  private mutating func age(at time: Timestamp) {
    guard let began, now.reporters.count < Self.most, time < began.advanced(seconds: Self.lifetime) else {
      if self.began != nil { before = now }
      now = Generation()
      self.began = time
      return
    }
  }

  private static func hash(_ topic: Topic, _ reporter: LoadReporter) -> Int {
    var hasher = Hasher()
    hasher.combine(topic)
    hasher.combine(reporter)
    return hasher.finalize()
  }
}
#endif
