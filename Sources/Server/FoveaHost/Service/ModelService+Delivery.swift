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
    var present = try model(id)
    var intact: Set<String> = []
    while true {
      var after = present
      try body(&after)
      for version in after.versionsGained(since: present) where !intact.contains(version.sha256) {
        try await checkFile(of: version, actor: actor)
        intact.insert(version.sha256)
      }
      let changed = try await change(id, actor: actor, action: action) {
        [intact] (model: inout HostModel) throws(HostError) -> HostModel? in
        let before = model
        try body(&model)
        guard model.versionsGained(since: before).allSatisfy({ intact.contains($0.sha256) }) else {
          // Someone else has changed the model meanwhile, so that other files are to be read.
          model = before
          return before
        }
        return nil
      }
      guard let newer = changed.value else { return changed.model }
      present = newer
    }
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
