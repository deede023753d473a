// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Makes and revokes keys: each is one transaction with an audit row, and holds for requests at once.
package struct KeyService: Sendable {
  let models: ModelService
  let authority: Authority
  /// Signs tokens and addresses.
  let ring: KeyRing
  /// Where clients reach the host.
  let url: String

  /// Every key, revoked and expired ones too.
  package func all() async throws(HostError) -> [HostKey] { try await models.metadata.keys() }

  /// Makes a key; its secret is in what is returned and nowhere else.
  /// - Parameters:
  ///   - order: What it is to be.
  ///   - actor: Who makes it, for the audit log.
  /// - Returns: The key.
  /// - Throws: `invalid` for a moment that has passed or a name that is none; `unavailable`, `disk-full`.
  package func add(_ order: KeyOrder, actor: String) async throws(HostError) -> NewKey {
    let made = try NewKey(order, project: models.project, url: url, now: models.now())
    try await models.metadata.add(made.key, entry: models.entry(actor, "key.add"))
    authority.replace(try await models.metadata.keys())
    return made
  }

  /// Makes a key void from now on.
  /// - Throws: `not-found` where there is no such key; `precondition` for the last one of an administrator.
  package func revoke(_ id: String, actor: String) async throws(HostError) {
    try await models.metadata.revoke(key: id, at: models.now(), entry: models.entry(actor, "key.revoke"))
    authority.replace(try await models.metadata.keys())
  }

  /// Puts a new secret into the ring that signs tokens and addresses: what the present one has signed works until it
  /// expires, what the one before has signed is void.
  /// - Throws: `unavailable`, `disk-full`.
  package func rotateRing(actor: String) async throws(HostError) {
    // Before it is done: no change is without a row.
    try await models.metadata.note(models.entry(actor, "ring.rotate"))
    let ring = ring
    try await BlockingWork.run { _ throws(HostError) in try ring.rotate() }
  }
}
#endif
