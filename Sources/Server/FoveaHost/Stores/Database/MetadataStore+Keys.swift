// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Returns every key, including revoked and expired ones.
  package func keys() async throws(HostError) -> [HostKey] {
    try await read { try Self.keys($0) }
  }

  static func keys(_ database: any SQLConnection) throws -> [HostKey] {
    try database.rows("SELECT * FROM hostKey ORDER BY created, id").map(Self.key)
  }

  /// Returns the keys that can be decoded, and the error of the first other one: a key that cannot be decoded
  /// is not valid here, and keeps no other one valid.
  static func readableKeys(
    _ database: any SQLConnection
  ) throws -> (keys: [HostKey], fault: HostError?) {
    var (keys, fault): ([HostKey], HostError?) = ([], nil)
    for row in try database.rows("SELECT * FROM hostKey ORDER BY created, id") {
      switch try HostError.decoding("a key", { try key(row) }) {
      case .success(let key): keys.append(key)
      case .failure(let error): fault = fault ?? error
      }
    }
    return (keys, fault)
  }

  /// Adds a key and a row about it to the audit log.
  package func add(_ key: HostKey, entry: AuditEntry) async throws(HostError) {
    try await write { database in
      let isTaken = try database.value(
        Bool.self, "SELECT EXISTS (SELECT 1 FROM hostKey WHERE id = ?)", [key.id])
      guard isTaken != true else {
        throw HostError(.alreadyExists, "A key with that id already exists", remedy: "Make another key")
      }
      try database.execute(
        """
        INSERT INTO hostKey (id, project, role, name, publicKey, digest, created, expires, revoked, label)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          key.id, key.project, key.role.rawValue, key.name, key.publicKey, key.digest,
          key.created.milliseconds, key.expires?.milliseconds, key.revoked?.milliseconds, key.label,
        ])
      var entry = entry
      entry.after = try Self.facts(key)
      try AuditRows.insert(entry, database)
    }
  }

  /// Revokes a key and adds a row about it to the audit log; changes nothing if it is already revoked.
  /// - Throws: `not-found` for an unknown key; `precondition` for the last administrator's key, without which
  ///   no key could be created. Other administrators' keys that expire within a day, and before this one, are
  ///   ignored.
  package func revoke(key id: String, at time: Timestamp, entry: AuditEntry) async throws(HostError) {
    try await write { database in
      let row = try database.row("SELECT * FROM hostKey WHERE id = ?", [id])
      guard let row else {
        throw HostError(.notFound, "There is no key with that id", remedy: "List the keys to find their ids")
      }
      let key = try Self.key(row)
      // The first revocation counts.
      guard key.revoked == nil else { return }
      if key.role == .admin, key.expires.map({ time < $0 }) ?? true {
        try Self.checkOtherAdministrator(than: key, at: time, database)
      }
      try database.execute("UPDATE hostKey SET revoked = ? WHERE id = ?", [time.milliseconds, id])
      var entry = entry
      entry.before = try Self.facts(key)
      entry.after = try ColumnJSON.text(["revoked": time.text])
      try AuditRows.insert(entry, database)
    }
  }

  /// Adds a row to the audit log about something kept elsewhere.
  package func note(_ entry: AuditEntry) async throws(HostError) {
    try await write { try AuditRows.insert(entry, $0) }
  }

  /// The number of seconds for which another key must stay valid to replace a revoked one.
  private static let leastSuccession = 86_400.0

  /// Checks that another administrator's key can replace this one: a key that is valid for at least a day, or
  /// as long as this key.
  ///
  /// Runs in the transaction that revokes: of two concurrent calls, one is refused.
  private static func checkOtherAdministrator(
    than key: HostKey, at time: Timestamp, _ database: any SQLConnection
  ) throws {
    let row = try database.row(
      """
      SELECT expires FROM hostKey WHERE project = ? AND role = ? AND id <> ? AND revoked IS NULL
      AND (expires IS NULL OR expires > ?) ORDER BY expires IS NULL DESC, expires DESC LIMIT 1
      """, [key.project, key.role.rawValue, key.id, time.milliseconds])
    var reason = "It is the last key of an administrator"
    if let row {
      guard let last = try row.optionalTimestamp("expires") else { return }
      guard last < time.advanced(seconds: leastSuccession), key.expires.map({ last < $0 }) ?? true else {
        return
      }
      reason = "The last of the other keys of administrators expires at \(last.text)"
    }
    throw HostError(
      .precondition, "\(reason), and without one no more keys can be created",
      remedy: "Create its replacement first: \(call: "host key add admin")")
  }

  private static func key(_ row: Row) throws -> HostKey {
    let role: String = try row.decode(forColumn: "role")
    guard let role = HostKey.Role(rawValue: role) else {
      // Written by a newer program, or damaged: a key must not get another role.
      throw HostError(
        .unavailable, "The database has a key with an unknown role",
        remedy: "Run \(command: "host fsck"), and restore a backup")
    }
    var key = HostKey(
      id: try row.decode(forColumn: "id"), project: try row.decode(forColumn: "project"), role: role,
      name: try row.decode(forColumn: "name"), publicKey: try row.decode(forColumn: "publicKey"),
      digest: try row.decode(forColumn: "digest"), created: try row.timestamp("created"),
      expires: try row.optionalTimestamp("expires"), label: try row.decode(forColumn: "label"))
    key.revoked = try row.optionalTimestamp("revoked")
    return key
  }

  /// Describes a key for the audit log; nothing in it is secret.
  private static func facts(_ key: HostKey) throws -> String {
    var facts = ["key": key.id, "role": key.role.rawValue, "account": key.name]
    facts["name"] = key.label
    facts["expires"] = key.expires?.text
    return try ColumnJSON.text(facts)
  }
}
#endif
