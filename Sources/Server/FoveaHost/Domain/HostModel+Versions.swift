// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A file that was checked and is to be a version.
package struct NewVersion: Sendable, Equatable {
  package var sha256: String
  /// In bytes.
  package var size: Int64
  package var created: Timestamp
  /// Name of the key that publishes it.
  package var author: String
  package var notes = ""
  package var facts = ModelFacts()
}

extension ModelVersion {
  /// Whether its file is there and stays, so that a channel or a rollout may point at it.
  package var isUsable: Bool { !isWithdrawn && retired == nil }
}

extension HostModel {
  /// Makes a file the next version, and the current one.
  ///
  /// The bytes of a version that can be used give that version and leave it as it is: a request that is sent again adds
  /// nothing. Numbers are never used again.
  /// - Returns: The version.
  @discardableResult
  package mutating func add(_ file: NewVersion) -> ModelVersion {
    problem = nil
    if let same = versions.last(where: { $0.sha256 == file.sha256 && $0.isUsable }) {
      current = same.number
      return same
    }
    let version = ModelVersion(
      number: (versions.last?.number ?? 0) + 1, sha256: file.sha256, size: file.size, created: file.created,
      author: file.author, notes: file.notes, facts: file.facts)
    versions.append(version)
    current = version.number
    return version
  }

  /// Notes that the file named last is no version; channels and versions stay.
  package mutating func refuse(_ problem: FileProblem) {
    self.problem = problem
    current = nil
  }

  /// The version of a number.
  /// - Throws: `not-found` where there is none.
  package func version(_ number: Int) throws(HostError) -> ModelVersion {
    guard let version = versions.first(where: { $0.number == number }) else {
      let known = versions.map { String($0.number) }.joined(separator: ", ")
      throw HostError(
        .notFound, "The model '\(name)' has no version \(number)",
        remedy: "Name one of its versions: \(known.isEmpty ? "there is none yet" : known)")
    }
    return version
  }

  /// The version of a number, where it can be pointed at.
  /// - Throws: `not-found`; `precondition` where it was withdrawn, or retention has let go of it.
  package func usableVersion(_ number: Int) throws(HostError) -> ModelVersion {
    let version = try version(number)
    guard version.isUsable else {
      throw HostError(
        .precondition,
        "Version \(number) of the model '\(name)' \(version.isWithdrawn ? "was withdrawn" : "is too old to be kept")",
        remedy: "Publish its file again, which gives it a new number")
    }
    return version
  }

  /// The version that the file named last is; nil where that file is none.
  package var currentVersion: ModelVersion? { current.flatMap(found) }

  /// The version that a channel points at; nil where it points at none.
  package func version(of channel: String) -> ModelVersion? { channels[channel].flatMap(found) }

  func found(_ number: Int) -> ModelVersion? { versions.first { $0.number == number } }

  /// Deletes a version: its file answers 404 from now on.
  ///
  /// A channel that points at it goes back to the latest version that it pointed at before and that can be used; where there
  /// is none, the channel points at nothing. A rollout of it ends. The number stays taken. Nothing changes for a version that
  /// was withdrawn before. The caller removes the blob where no other version names the same bytes.
  /// - Throws: `not-found` where there is no such version; `precondition` where an experiment gives it to devices.
  package mutating func withdraw(_ number: Int) throws(HostError) {
    guard !(try version(number)).isWithdrawn else { return }
    try checkWithdrawal(of: number)
    for index in versions.indices where versions[index].number == number {
      versions[index].isWithdrawn = true
    }
    if current == number { current = nil }
    if rollout?.version == number { rollout = nil }
    for channel in channels.keys.sorted() where channels[channel] == number {
      channels[channel] = takeFormer(of: channel)
    }
    // A share of nothing, or of the version that all have.
    if channels[Self.stable] == nil || channels[Self.stable] == rollout?.version { rollout = nil }
    for channel in formerly.keys.sorted() {
      formerly[channel]?.removeAll { $0 == number }
      if formerly[channel]?.isEmpty == true { formerly[channel] = nil }
    }
  }

  /// Lets go of old versions: all but the last ones and those that a channel, the rollout, an experiment or the file named last needs.
  /// - Parameters:
  ///   - count: How many stay besides those that are named; 10 by default.
  ///   - time: The present; files go a day after it.
  package mutating func retire(keeping count: Int = 10, at time: Timestamp) {
    let usable = versions.filter(\.isUsable).map(\.number)
    var kept = Set(usable.suffix(max(count, 0)))
    kept.formUnion(channels.values)
    if let version = rollout?.version { kept.insert(version) }
    kept.formUnion(experiment?.versions ?? [])
    if let current { kept.insert(current) }
    for index in versions.indices where versions[index].isUsable && !kept.contains(versions[index].number) {
      versions[index].retired = time
    }
  }
}
#endif
