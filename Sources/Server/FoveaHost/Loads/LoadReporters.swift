// SPDX-License-Identifier: Apache-2.0
#if Server
/// Who has reported a load.
package struct LoadReporter: Sendable, Hashable {
  /// The id of an installation that has shown its token; nil for a device that shows none.
  package let installation: String?
  /// The network that the report came from.
  package let network: String
}

/// Who has reported what, so that one device, or one network, cannot speak for many.
///
/// What is older than a day or the last hundred thousand reports is forgotten; it holds a few megabytes at most.
struct LoadReporters {
  /// The most reports of one network about one version with one outcome; further devices of it are not counted.
  static let mostOfNetwork = 20
  /// How many networks have to report that a version does not load before its rollout is halted.
  static let networksToHalt = 5
  /// The same, where too few loads of the stable version were reported to compare it with.
  static let networksToHaltAlone = 20
  /// How many loads of the stable version it is compared with at least.
  static let stableLoads = 20

  private struct Topic: Hashable {
    let key: LoadKey
    let outcome: LoadService.Outcome
  }

  private struct Generation {
    var reporters: Set<Int> = []
    /// How many reports of a network about a topic count.
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
  /// Networks whose devices have reported that the version of a rollout does not load.
  private var bad: [Run: Set<String>] = [:]

  /// Enters a report.
  /// - Returns: Whether it counts.
  mutating func enter(
    _ outcome: LoadService.Outcome, _ key: LoadKey, of reporter: LoadReporter, at time: Timestamp
  ) -> Bool {
    age(at: time)
    let topic = Topic(key: key, outcome: outcome)
    // An installation that goes from network to network is one device.
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

  /// Enters that the version of a rollout does not load somewhere.
  mutating func enterFailure(model: String, run: Int64, network: String) {
    let key = Run(model: model, run: run)
    // Of a model only the rollout under way counts.
    if bad[key] == nil { bad = bad.filter { $0.key.model != model } }
    guard bad[key, default: []].count < Self.networksToHaltAlone else { return }
    bad[key, default: []].insert(network)
  }

  /// In how many networks the version of a rollout does not load, up to what is needed to halt it.
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
