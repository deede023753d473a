// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Creates and revokes keys: each change is one transaction with an audit row, and takes effect at once.
package struct KeyService: Sendable {
  let models: ModelService
  let authority: Authority
  /// The ring that signs tokens and URLs.
  let ring: KeyRing
  /// The URL at which clients reach the host.
  let url: String

  /// Returns every key, including revoked and expired ones.
  package func all() async throws(HostError) -> [HostKey] { try await models.metadata.keys() }

  /// Creates a key; only the returned value contains its secret.
  /// - Parameters:
  ///   - properties: The properties of the key.
  ///   - actor: The author, for the audit log.
  /// - Returns: The key.
  /// - Throws: `invalid` for an expiry in the past, an invalid universe or name; `unavailable`, `disk-full`.
  package func add(_ properties: KeyProperties, actor: String) async throws(HostError) -> NewKey {
    let made = try NewKey(properties, project: models.project, url: url, now: models.now())
    try await models.metadata.add(made.key, entry: models.entry(actor, "key.add"))
    authority.add(made.key)
    return made
  }

  /// Revokes a key from now on, ends the checks of its files, and removes the bytes of its unfinished
  /// uploads.
  /// - Throws: `not-found` for an unknown key; `precondition` for the last administrator's key.
  package func revoke(_ id: String, actor: String) async throws(HostError) {
    try await models.metadata.revoke(key: id, at: models.now(), entry: models.entry(actor, "key.revoke"))
    authority.revoke(id)
    models.sent.recheck()
    for name in models.uploads.removeAll(of: id) { await models.removeUpload(name) }
  }

  /// Adds a new secret to the ring that signs tokens and URLs: signatures made with the current secret stay
  /// valid until they expire, those made with the previous one become void.
  /// - Throws: `precondition` if other hosts may share the database; `unavailable`, `disk-full`.
  package func rotateRing(actor: String) async throws(HostError) {
    guard models.metadata.shared?.use != .among else {
      throw HostError(
        .precondition, "Other hosts may share the database, and would not have the new secret",
        remedy:
          "Stop all of them, run \(call: "host key rotate") for the folder of one, and copy its "
          + "keys/ring.json to the folders of the others")
    }
    // Logged first: no change is without a row.
    try await models.metadata.note(models.entry(actor, "ring.rotate"))
    let ring = ring
    try await BlockingWork.run { _ throws(HostError) in try ring.rotate() }
  }
}
#endif
