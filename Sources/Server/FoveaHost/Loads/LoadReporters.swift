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
/// The share of a network is the same for every version: invented failures of the stable version would keep a
/// failing rollout running, as invented failures of the new one would halt it. Forgets reports older than a
/// day or than the last hundred thousand; uses a few megabytes at most.
struct LoadReporters {
  /// The maximum number of counted reports of one network about one version: so many successful ones, and so
  /// many others.
  static let mostOfNetwork = 20
  /// The number of networks that have to report failures of a version before its rollout is halted.
  ///
  /// As many have to reach a number of reports before one of them counts beyond it.
  static let networksToHalt = 5
  /// The number of networks to halt if too few loads of the stable version were reported for a comparison.
  static let networksToHaltAlone = 20

  private struct Topic: Hashable {
    let model: String
    let version: Int
    /// The rollout of this version; 0 for other versions, so that each step of a rollout does not count again
    /// what one network reports about the stable version.
    let run: Int64
    /// Whether the reports are of failed or abandoned loads.
    let isBad: Bool
  }

  private struct Generation {
    var reporters: Set<Int> = []
    /// The number of counted reports of each network about a topic.
    var networks: [Topic: [Int: Int]] = [:]
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
  /// The number of networks with at least one counted report about a topic, with at least two, and so on.
  private var ranks: [Topic: [Int]] = [:]
  /// Networks whose devices reported that the version of a rollout does not load.
  private var bad: [Run: Set<String>] = [:]

  /// Records a report.
  /// - Returns: Whether it counts.
  mutating func enter(
    _ outcome: LoadService.Outcome, of version: Int, _ model: HostModel, by reporter: LoadReporter,
    at time: Timestamp
  ) -> Bool {
    age(at: time)
    let rollout = model.rollout.flatMap { $0.version == version ? $0 : nil }
    let topic = Topic(
      model: model.id, version: version, run: rollout?.run ?? 0, isBad: outcome != .loaded)
    // An installation that moves between networks is one device.
    let person = Self.hash(
      topic, reporter.installation.map { LoadReporter(installation: $0, network: "") } ?? reporter)
    guard !now.reporters.contains(person), !before.reporters.contains(person) else { return false }
    let network = reporter.network.hashValue
    let count = (now.networks[topic]?[network] ?? 0) + (before.networks[topic]?[network] ?? 0)
    guard mayCount(topic, after: count) else { return false }
    now.reporters.insert(person)
    now.networks[topic, default: [:]][network, default: 0] += 1
    ranks[topic, default: Self.ranks(of: [:])][count] += 1
    return true
  }

  /// Returns whether another report of a network counts: its first one does, a further one only if enough
  /// networks have sent as many as this one before.
  private func mayCount(_ topic: Topic, after count: Int) -> Bool {
    guard count > 0 else { return true }
    return count < Self.mostOfNetwork && (ranks[topic]?[count - 1] ?? 0) >= Self.networksToHalt
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
      ranks = before.networks.mapValues { Self.ranks(of: $0) }
      self.began = time
      return
    }
  }

  /// Returns the number of networks with at least one report, with at least two, and so on.
  private static func ranks(of counts: [Int: Int]) -> [Int] {
    var ranks = [Int](repeating: 0, count: mostOfNetwork)
    for count in counts.values {
      for place in 0..<count { ranks[place] += 1 }
    }
    return ranks
  }

  private static func hash(_ topic: Topic, _ reporter: LoadReporter) -> Int {
    var hasher = Hasher()
    hasher.combine(topic)
    hasher.combine(reporter)
    return hasher.finalize()
  }
}
#endif
