// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost

/// The keys of a ``RunningHost``: one of each role, and those that must be rejected.
struct HostKeys: Sendable {
  private typealias Caller = AccessTable.Caller

  private(set) var bearers: [AccessTable.Caller: String] = [:]
  private(set) var apps: [AccessTable.Caller: String] = [:]

  /// RSA keys take a while to generate: they are created once.
  static let accounts = Result {
    try [Caller.viewer, .publisher, .admin, .strangeAdmin, .expiredAdmin, .revokedAdmin].reduce(
      into: [AccessTable.Caller: ServiceAccount]()
    ) { accounts, caller in
      accounts[caller] = try ServiceAccount.make(
        role: role(caller), project: caller == .strangeAdmin ? "other-project" : RunningHost.project,
        tokenURI: "http://127.0.0.1/token")
    }
  }

  private static func role(_ caller: AccessTable.Caller) -> HostKey.Role {
    HostKey.Role(rawValue: caller.rawValue) ?? .admin
  }

  /// Adds the keys to a store, unless it already has them.
  static func added(to store: MetadataStore, now: Timestamp) async throws -> HostKeys {
    var keys = HostKeys()
    let isNew = try await store.keys().isEmpty
    let entry = AuditEntry(time: now, actor: "test", action: "key.add", project: RunningHost.project)
    for (caller, account) in try accounts.get() {
      let key = try account.hostKey(
        role: role(caller), created: now, expires: caller == .expiredAdmin ? now : nil)
      if isNew { try await store.add(key, entry: entry) }
      keys.bearers[caller] = try await account.token(role(caller).scopes, now: now)
      if caller == .admin {
        keys.bearers[.expiredToken] = try await account.token(
          role(caller).scopes, now: now.advanced(seconds: -7_200))
      }
    }
    // The last key of an administrator cannot be revoked, so another one exists.
    if isNew, let id = try accounts.get()[.revokedAdmin]?.keyID {
      try await store.revoke(key: id, at: now, entry: entry)
    }
    keys.bearers[.forged] = keys.bearers[.admin].map { $0.dropLast(3) + "abc" }
    for caller in [AccessTable.Caller.app, .strangeApp, .expiredApp, .revokedApp] {
      let app = try AppKey(caller == .app ? RunningHost.appKey : "test-\(caller.rawValue)")
      let key = app.hostKey(
        project: caller == .strangeApp ? "other-project" : RunningHost.project, created: now,
        expires: caller == .expiredApp ? now : nil)
      if isNew { try await store.add(key, entry: entry) }
      if isNew, caller == .revokedApp { try await store.revoke(key: key.id, at: now, entry: entry) }
      keys.apps[caller] = app.text
    }
    return keys
  }
}
#endif
