// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors

  /// Makes and revokes keys: each is one transaction with an audit row, and holds for requests at once.
  package struct KeyService: Sendable {
    let models: ModelService
    let authority: Authority
    /// Where clients reach the host.
    let url: String

    /// Every key, revoked and expired ones too.
    package func all() async throws(HostError) -> [HostKey] { try await models.metadata.keys() }

    /// Makes a key; its secret is in what is returned and nowhere else.
    /// - Parameters:
    ///   - role: What it may do.
    ///   - universe: The universe domain for Google's clients; nil for Google's own.
    ///   - expires: The moment from which on it is void; nil for none.
    ///   - actor: Who makes it, for the audit log.
    /// - Returns: The key.
    /// - Throws: `invalid` for a moment that has passed; `unavailable`, `disk-full`.
    package func add(
      _ role: HostKey.Role, universe: String?, expires: Timestamp?, actor: String
    ) async throws(HostError) -> NewKey {
      let now = models.now()
      guard expires.map({ $0 > now }) ?? true else {
        throw HostError.invalidArgument("'expires' is not a moment to come as 2027-06-15T00:00:00Z")
      }
      let made = try NewKey(
        role: role, project: models.project, url: url, universe: universe, expires: expires, now: now)
      try await models.metadata.add(made.key, entry: models.entry(actor, "key.add"))
      authority.replace(try await models.metadata.keys())
      return made
    }

    /// Makes a key void from now on.
    /// - Throws: `not-found` where there is no such key.
    package func revoke(_ id: String, actor: String) async throws(HostError) {
      try await models.metadata.revoke(
        key: id, at: models.now(), entry: models.entry(actor, "key.revoke"))
      authority.replace(try await models.metadata.keys())
    }
  }
#endif
