// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ModelService {
  /// Changes a model as ``change(_:actor:action:_:)`` does, but first reads the files of the versions that
  /// devices get as a result.
  ///
  /// Devices would get 500 for a version whose file the disk has changed. They keep the version that they
  /// have, and the change is refused.
  /// - Parameters:
  ///   - id: The id of the model.
  ///   - actor: The name of the key.
  ///   - action: The action in the audit log.
  ///   - body: The change; it is called several times, and must depend only on the model.
  /// - Returns: The changed model.
  /// - Throws: `damaged` if such a file differs from its version in size or content; `rate-limited` for a key
  ///   at its limit of reads; `cancelled`; `not-found`, `unavailable`, `disk-full`; any error of `body`.
  @discardableResult
  package func deliver(
    _ id: String, actor: String, action: String,
    _ body: @escaping @Sendable (inout HostModel) throws(HostError) -> Void
  ) async throws(HostError) -> HostModel {
    try await delivery(id, actor: actor, action: action, body).model
  }

  /// The outcome of a change that may give versions to devices.
  package struct Delivery: Sendable {
    package let model: HostModel
    /// The numbers of the versions that were passed over because the disk has changed their files, in
    /// increasing order.
    package let damaged: [Int]
    /// Whether devices of a rollout get the stable version again, whose file was not read.
    let returnsToStable: Bool
  }

  /// Changes a model as ``deliver(_:actor:action:_:)`` does.
  func delivery(
    _ id: String, actor: String, action: String,
    _ body: @escaping @Sendable (inout HostModel) throws(HostError) -> Void
  ) async throws(HostError) -> Delivery {
    try await deliver(id, actor: actor, action: action, avoidsDamaged: false) {
      (model, _) throws(HostError) in try body(&model)
    }
  }

  /// Returns that the disk has changed the file of the stable version, and how to repair it; nil if it is
  /// intact, or cannot be read now.
  /// - Parameters:
  ///   - model: The model, some of whose devices get the stable version again.
  ///   - actor: The name of the key, which takes turns with others.
  /// - Returns: The sentences.
  func stableWarning(of model: HostModel, actor: String) async -> String? {
    guard let version = model.version(of: HostModel.stable) else { return nil }
    do throws(HostError) { try await checkFile(of: version, actor: actor) } catch {
      return error.code == .damaged ? Self.warning(of: version, isStable: true, error) : nil
    }
    return nil
  }

  /// Returns ``stableWarning(of:actor:)`` after a change that gives devices the stable version again; nil
  /// after other changes.
  @discardableResult
  func stableWarning(after made: Delivery, actor: String) async -> String? {
    made.returnsToStable ? await stableWarning(of: made.model, actor: actor) : nil
  }

  /// Returns which files of a model's versions are known to be damaged now, and how to repair them, as
  /// sentences for each.
  func warnings(of model: HostModel) async -> [String] {
    let faults = await damagedFiles()
    return model.versions.compactMap { version in
      guard version.isUsable, let fault = faults[version.sha256] else { return nil }
      return Self.warning(
        of: version, isStable: model.channels[HostModel.stable] == version.number,
        DamagedFiles.error(version.sha256, fault, .published))
    }
  }

  private static func warning(of version: ModelVersion, isStable: Bool, _ error: HostError) -> String {
    "\(isStable ? "The stable version" : "Version") \(version.number) is damaged. \(error.message.sentence) "
      + error.remedy.description.sentence
  }

  /// Deletes a version, and its file if no other version has the same bytes; of a shared database, later.
  ///
  /// A channel that points at it returns to the latest version before whose file is intact. A withdrawal is
  /// not refused because of other versions: it is the way back from a bad one.
  /// - Parameters:
  ///   - number: The version.
  ///   - model: The model.
  ///   - seen: Refuses the withdrawal if the model has changed; nil for any state.
  ///   - actor: The name of the key.
  /// - Returns: The model without it, and the versions that were passed over.
  /// - Throws: `not-found` if the model has no such version; any error of `seen`;
  ///   `precondition` if an experiment gives the version to devices; `rate-limited` for a key at its limit of
  ///   reads; `cancelled`; `unavailable`, `disk-full`.
  @discardableResult
  package func withdraw(
    _ number: Int, of model: HostModel, seen: SeenCheck? = nil, actor: String
  ) async throws(HostError) -> Delivery {
    let version = try model.version(number)
    let changed = try await deliver(
      model.id, actor: actor, action: "version.withdraw", avoidsDamaged: true
    ) { (model, damaged) throws(HostError) in
      try seen?(model)
      try model.withdraw(number, avoiding: damaged)
    }
    // Another host may have published the same bytes at this moment: its file is collected when it is old.
    if metadata.shared == nil, !catalogue.serves(version.sha256) {
      try await blobs.remove(version.sha256)
    }
    return changed
  }

  /// Changes a model once the files of the versions that devices get have been read.
  /// - Parameters:
  ///   - id: The id of the model.
  ///   - actor: The name of the key.
  ///   - action: The action in the audit log.
  ///   - avoidsDamaged: True to call `body` again without the versions whose files are damaged, false to
  ///     refuse the change.
  ///   - body: The change, with the numbers of the versions to avoid.
  /// - Returns: The changed model, and the versions avoided.
  /// - Throws: As ``deliver(_:actor:action:_:)``; `damaged` only without `avoidsDamaged`.
  private func deliver(
    _ id: String, actor: String, action: String, avoidsDamaged: Bool,
    _ body: @escaping @Sendable (inout HostModel, _ damaged: Set<Int>) throws(HostError) -> Void
  ) async throws(HostError) -> Delivery {
    var present = try model(id)
    var read = ReadFiles()
    while true {
      _ = try await settle(&read, of: present, avoidsDamaged: avoidsDamaged, actor: actor, body)
      let changed = try await change(id, actor: actor, action: action) {
        [read] (model: inout HostModel) throws(HostError) -> (before: HostModel, isRead: Bool) in
        let before = model
        try body(&model, read.damaged)
        let isRead = model.versionsGained(since: before).allSatisfy { read.intact.contains($0.sha256) }
        // Someone else has changed the model meanwhile, so that other files are to be read.
        if !isRead { model = before }
        return (before, isRead)
      }
      present = changed.value.before
      guard !changed.value.isRead else {
        return Delivery(
          model: changed.model, damaged: read.damaged.sorted(),
          returnsToStable: changed.model.returnsToStable(since: present))
      }
    }
  }

  /// The files that have been read before a change of a model.
  private struct ReadFiles {
    /// The SHA-256 of the intact files.
    var intact: Set<String> = []
    /// The numbers of the versions whose files are damaged.
    var damaged: Set<Int> = []
  }

  /// Returns a model after a change, once the files of the versions that devices would get have been read.
  /// - Parameters:
  ///   - read: The files that were read before, which are not read again; those that are read are added.
  ///   - model: The model.
  ///   - avoidsDamaged: True to call `body` again without the versions whose files are damaged, false to
  ///     refuse the change.
  ///   - actor: The name of the key, which takes turns with others.
  ///   - body: The change, with the numbers of the versions to avoid.
  /// - Returns: The changed model, which gives only intact files to devices.
  /// - Throws: As ``deliver(_:actor:action:_:)``; `damaged` only without `avoidsDamaged`.
  private func settle(
    _ read: inout ReadFiles, of model: HostModel, avoidsDamaged: Bool, actor: String,
    _ body: (inout HostModel, _ damaged: Set<Int>) throws(HostError) -> Void
  ) async throws(HostError) -> HostModel {
    while true {
      var after = model
      try body(&after, read.damaged)
      var isRepeated = false
      for version in after.versionsGained(since: model) where !read.intact.contains(version.sha256) {
        do throws(HostError) {
          try await checkFile(of: version, actor: actor)
          read.intact.insert(version.sha256)
        } catch {
          guard avoidsDamaged, error.code == .damaged else { throw error }
          isRepeated = read.damaged.insert(version.number).inserted || isRepeated
        }
      }
      if !isRepeated { return after }
    }
  }

  /// Returns the numbers of a model's usable versions whose files are known to be damaged.
  func knownDamage(of model: HostModel) -> Set<Int> {
    let faults = damaged.all
    return Set(model.versions.filter { $0.isUsable && faults[$0.sha256] != nil }.map(\.number))
  }

  /// Reads the files again that are known to be damaged.
  /// - Parameters:
  ///   - model: The model.
  ///   - actor: The name of the key, which takes turns with others.
  /// - Returns: The numbers of the versions whose files are still damaged.
  /// - Throws: As ``deliver(_:actor:action:_:)``, without `damaged`.
  private func presentDamage(of model: HostModel, actor: String) async throws(HostError) -> Set<Int> {
    let known = knownDamage(of: model)
    for version in model.versions where known.contains(version.number) {
      do throws(HostError) { try await checkFile(of: version, actor: actor) } catch {
        guard error.code == .damaged else { throw error }
      }
    }
    return knownDamage(of: model)
  }

  /// Returns a model after a withdrawal, once the files of the versions that devices would get have been
  /// read.
  /// - Parameters:
  ///   - number: The version to withdraw.
  ///   - model: The model.
  ///   - actor: The name of the key, which takes turns with others.
  /// - Returns: The model without it, and the numbers of the other versions whose files are damaged, to which
  ///   no channel returns.
  /// - Throws: As ``withdraw(_:of:seen:actor:)``.
  func withdrawal(
    of number: Int, from model: HostModel, actor: String
  ) async throws(HostError) -> (after: HostModel, damaged: Set<Int>) {
    var read = ReadFiles()
    read.damaged = try await presentDamage(of: model, actor: actor).subtracting([number])
    let after = try await settle(&read, of: model, avoidsDamaged: true, actor: actor) {
      (model, damaged) throws(HostError) in try model.withdraw(number, avoiding: damaged)
    }
    return (after, read.damaged)
  }

  /// Reads the files that a change would give to devices.
  /// - Parameters:
  ///   - before: The model before the change.
  ///   - after: The model after it.
  ///   - actor: The name of the key, which takes turns with others.
  /// - Throws: As ``deliver(_:actor:action:_:)``.
  func checkFiles(from before: HostModel, to after: HostModel, actor: String) async throws(HostError) {
    for version in after.versionsGained(since: before) { try await checkFile(of: version, actor: actor) }
  }

  /// Reads the file of a version that devices are to get.
  /// - Parameters:
  ///   - version: The version.
  ///   - actor: The name of the key, which takes turns with others.
  /// - Throws: As ``deliver(_:actor:action:_:)``.
  func checkFile(of version: ModelVersion, actor: String) async throws(HostError) {
    do throws(HostError) {
      try await reads.run(ModelService.newSeed(), of: actor) { () async throws(HostError) -> Void in
        _ = try await intactFile(version.sha256, size: version.size)
      }
    } catch {
      // A version withdrawn at this moment is not damaged; the change itself reports it.
      guard error.code == .damaged, !catalogue.serves(version.sha256) else { throw error }
      damaged.clear(version.sha256)
    }
  }
}
#endif
