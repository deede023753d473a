// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A checked file that is to become a version.
package struct NewVersion: Sendable, Equatable {
  package var sha256: String
  /// The size in bytes.
  package var size: Int64
  package var created: Timestamp
  /// The name of the key that publishes it.
  package var author: String
  package var notes = ""
  package var facts = ModelFacts()
}

extension ModelVersion {
  /// Whether its file exists and is kept, so that a channel or a rollout may point at it.
  package var isUsable: Bool { !isWithdrawn && retired == nil }
}

extension HostModel {
  /// Makes a file the next version, and the current one.
  ///
  /// If a usable version has the same bytes, returns that version unchanged: a repeated request adds nothing.
  /// Numbers are never used again.
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

  /// Records that the latest file is not a version; channels and versions stay.
  package mutating func refuse(_ problem: FileProblem) {
    self.problem = problem
    current = nil
  }

  /// Returns the version with a number.
  /// - Throws: `not-found` if there is none.
  package func version(_ number: Int) throws(HostError) -> ModelVersion {
    guard let version = versions.first(where: { $0.number == number }) else {
      let known = versions.map { String($0.number) }.joined(separator: ", ")
      throw HostError(
        .notFound, "The model '\(name)' has no version \(number)",
        remedy: "Use one of its versions: \(known.isEmpty ? "there is none yet" : known)")
    }
    return version
  }

  /// Returns the version with a number, if channels can point at it.
  /// - Throws: `not-found`; `precondition` if it was withdrawn or retired.
  package func usableVersion(_ number: Int) throws(HostError) -> ModelVersion {
    let version = try version(number)
    guard version.isUsable else {
      throw HostError(
        .precondition,
        "Version \(number) of the model '\(name)' "
          + (version.isWithdrawn ? "was withdrawn" : "is too old to be kept"),
        remedy: "Publish its file again, which gives it a new number")
    }
    return version
  }

  /// The version made from the latest file; nil if that file is not a version.
  package var currentVersion: ModelVersion? { current.flatMap(found) }

  /// Returns the version that a channel points at; nil if it points at none.
  package func version(of channel: String) -> ModelVersion? { channels[channel].flatMap(found) }

  func found(_ number: Int) -> ModelVersion? { versions.first { $0.number == number } }

  /// Deletes a version: its file answers 404 from now on.
  ///
  /// A channel that points at it returns to the latest usable version that it pointed at before; if there is
  /// none, the channel is cleared. A rollout of the version ends. Its number is not used again. Does nothing
  /// if the version is already withdrawn. The caller removes the blob if no other version has the same bytes.
  /// - Parameters:
  ///   - number: The version.
  ///   - damaged: The numbers of versions to which no channel returns.
  /// - Throws: `not-found` for an unknown version; `precondition` if an experiment gives it to devices.
  package mutating func withdraw(_ number: Int, avoiding damaged: Set<Int> = []) throws(HostError) {
    guard !(try version(number)).isWithdrawn else { return }
    try checkWithdrawal(of: number)
    for index in versions.indices where versions[index].number == number {
      versions[index].isWithdrawn = true
    }
    if current == number { current = nil }
    if rollout?.version == number { rollout = nil }
    for channel in channels.keys.sorted() where channels[channel] == number {
      channels[channel] = takeFormer(of: channel, avoiding: damaged)
    }
    // A share of nothing, or of the version that all devices have.
    if channels[Self.stable] == nil || channels[Self.stable] == rollout?.version { rollout = nil }
    for channel in formerly.keys.sorted() {
      formerly[channel]?.removeAll { $0 == number }
      if formerly[channel]?.isEmpty == true { formerly[channel] = nil }
    }
  }

  /// Retires old versions, except the latest and those used by a channel, the rollout, an experiment or the
  /// latest file.
  /// - Parameters:
  ///   - count: The number of latest versions to keep; 10 by default.
  ///   - time: The current time; files are removed a day later.
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
