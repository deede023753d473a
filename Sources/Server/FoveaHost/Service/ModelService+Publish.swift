// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The result of a publish.
package struct PublishedVersion: Sendable, Equatable {
  package let model: HostModel
  package let version: ModelVersion
  /// The channel that points at it now.
  package let channel: String
  /// Whether the model already had a version of these bytes, which is then returned.
  package let isRepeated: Bool
  /// The version that the channel pointed at before; nil if there was none.
  package let before: Int?
  /// The version whose rollout the publish ended; nil if it ended none.
  package var endedRollout: Int?
  /// True if the file was known to be damaged on the host's disk, and is intact now.
  package var isRepaired = false
}

extension ModelService {
  /// Checks a blob and publishes it under a name, creating the model if needed.
  ///
  /// The key is checked again before the file is checked, and when the version is stored. If it is revoked
  /// meanwhile, the check ends at once, as it does a moment before the host's drain ends.
  /// - Parameters:
  ///   - blob: The file.
  ///   - name: The name of the model.
  ///   - channel: The channel that points at the version.
  ///   - notes: The notes of the version.
  ///   - seen: Refuses the version if the model has changed; nil for any state.
  ///   - actor: The name of the key.
  ///   - keyCheck: Checks the key.
  ///   - operation: The id of the check.
  /// - Returns: The version, and whether the model had one of these bytes before.
  /// - Throws: `invalid` for an unusable file; any error of `seen`; `damaged`
  ///   if the disk has changed the file; `rate-limited` for a key at its limit of checks; any error of
  ///   `keyCheck`; `cancelled`; `unavailable`, also if the
  ///   host shuts down; `disk-full`.
  package func publish(
    blob: FinishedBlob, name: String, channel: String, notes: String, seen: SeenCheck? = nil,
    actor: String, keyCheck: @escaping KeyCheck, operation: String = ModelService.newSeed()
  ) async throws(HostError) -> PublishedVersion {
    try HostName.checkPublish(of: name, channel: channel, notes: notes)
    return try await sent.run(if: keyCheck, endsWithHost: true) {
      () async throws(HostError) -> PublishedVersion in
      try await publish(blob, name, channel, notes, seen, actor: actor, keyCheck, operation: operation)
    }
  }

  private func publish(
    _ blob: FinishedBlob, _ name: String, _ channel: String, _ notes: String, _ seen: SeenCheck?,
    actor: String, _ keyCheck: @escaping KeyCheck, operation: String
  ) async throws(HostError) -> PublishedVersion {
    let isRepaired = damaged.use(of: blob.sha256) == .published
    let facts: ModelFacts
    let found = try await checks.run(operation, of: actor) {
      () async throws(HostError) -> Result<ModelFacts, FileProblem> in
      try keyCheck()
      return try await checker.check(intactFile(blob.sha256, size: blob.size))
    }
    switch found {
    case .success(let found): facts = found
    case .failure(let problem):
      throw HostError(
        .invalid, "The file was refused: \(problem.detail ?? problem.message)",
        remedy:
          "Publish a .tflite file that \(command: "model inspect FILE --run --limit-seconds 30") accepts")
    }
    let file = NewVersion(
      sha256: blob.sha256, size: blob.size, created: now(), author: actor, notes: notes, facts: facts)
    // A cancelled publish has no version: from this point on a cancellation is ignored.
    guard !Task.isCancelled else { throw .cancelled }
    let published = await Task { () -> Result<PublishedVersion, HostError> in
      do throws(HostError) {
        return .success(try await enter(file, name, channel, seen, actor: actor, keyCheck))
      } catch {
        return .failure(error)
      }
    }.value
    var made = try published.get()
    made.isRepaired = isRepaired
    return made
  }

  /// Adds a checked version to the model of that name, creating it if needed.
  private func enter(
    _ file: NewVersion, _ name: String, _ channel: String, _ seen: SeenCheck?, actor: String,
    _ keyCheck: @escaping KeyCheck
  ) async throws(HostError) -> PublishedVersion {
    guard let present = catalogue.model(project: project, named: name) else {
      try seen?(nil)
      return try await publish(file, first: name, channel, seen, actor: actor, keyCheck)
    }
    return try await publish(file, present.id, channel, seen, actor: actor, keyCheck)
  }

  /// Adds a version to an existing model.
  private func publish(
    _ file: NewVersion, _ id: String, _ channel: String, _ seen: SeenCheck?, actor: String,
    _ keyCheck: @escaping KeyCheck
  ) async throws(HostError) -> PublishedVersion {
    let (model, made) = try await change(id, actor: actor, action: "version.publish") {
      (model) throws(HostError) in
      try keyCheck()
      try seen?(model)
      let last = model.versions.last?.number ?? 0
      let before = model.channels[channel]
      if let same = model.version(of: channel), same.sha256 == file.sha256 {
        // Nothing new for devices: a rollout goes on.
        return (version: same, isRepeated: true, before: before, endedRollout: Int?.none)
      }
      let rollout = model.rollout?.version
      let version = model.add(file)
      try model.point(channel, at: version.number)
      model.retire(at: file.created)
      return (
        version: version, isRepeated: version.number <= last, before: before,
        endedRollout: model.rollout == nil ? rollout : nil
      )
    }
    return PublishedVersion(
      model: model, version: made.version, channel: channel, isRepeated: made.isRepeated, before: made.before,
      endedRollout: made.endedRollout)
  }

  /// Creates a model together with its first version: it never exists without a file.
  private func publish(
    _ file: NewVersion, first name: String, _ channel: String, _ seen: SeenCheck?, actor: String,
    _ keyCheck: @escaping KeyCheck
  ) async throws(HostError) -> PublishedVersion {
    var model = HostModel(
      project: project, id: ModelService.newID(), name: name, created: file.created,
      seed: ModelService.newSeed())
    let version = model.add(file)
    try model.point(channel, at: version.number)
    var entry = entry(actor, "version.publish")
    entry.model = name
    do throws(HostError) {
      try await metadata.create(model, entry: entry, if: keyCheck)
    } catch  where error.code == .alreadyExists {
      // Another publish was faster, and its version may not be in the catalogue yet.
      let present = try await metadata.models().first { $0.project == project && $0.name == name }
      guard let present else { throw error }
      catalogue.enter(present)
      return try await publish(file, present.id, channel, seen, actor: actor, keyCheck)
    }
    catalogue.enter(model)
    return PublishedVersion(model: model, version: version, channel: channel, isRepeated: false, before: nil)
  }
}
#endif
