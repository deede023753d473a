// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import GRDB

  extension GRDBMetadataStore {
    package func audit(
      project: String, model: String?, limit: Int
    ) async throws(HostError) -> [AuditEntry] {
      try await read { try AuditRows.latest($0, project: project, model: model, limit: limit) }
    }

    package func keys() async throws(HostError) -> [HostKey] {
      try await read { database in
        try Row.fetchAll(database, sql: "SELECT * FROM hostKey ORDER BY created, id").map { row in
          let role: String = try row.decode(forColumn: "role")
          guard let role = HostKey.Role(rawValue: role) else {
            // Written by a newer program, or damaged: a key must not get another role.
            throw HostError(
              .unavailable, "The database has a key with an unknown role",
              remedy: "Run fsck, and restore a backup")
          }
          var key = HostKey(
            id: try row.decode(forColumn: "id"), project: try row.decode(forColumn: "project"), role: role,
            name: try row.decode(forColumn: "name"), publicKey: try row.decode(forColumn: "publicKey"),
            digest: try row.decode(forColumn: "digest"), created: try row.timestamp("created"),
            expires: try row.optionalTimestamp("expires"))
          key.revoked = try row.optionalTimestamp("revoked")
          return key
        }
      }
    }

    package func add(_ key: HostKey, entry: AuditEntry) async throws(HostError) {
      try await write { database in
        let isTaken = try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM hostKey WHERE id = ?)", arguments: [key.id])
        guard isTaken != true else {
          throw HostError(.alreadyExists, "There is a key of that id", remedy: "Make another key")
        }
        try database.execute(
          sql: """
            INSERT INTO hostKey (id, project, role, name, publicKey, digest, created, expires, revoked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            key.id, key.project, key.role.rawValue, key.name, key.publicKey, key.digest,
            key.created.milliseconds, key.expires?.milliseconds, key.revoked?.milliseconds,
          ])
        try AuditRows.insert(entry, database)
      }
    }

    package func revoke(key id: String, at time: Timestamp, entry: AuditEntry) async throws(HostError) {
      try await write { database in
        let row = try Row.fetchOne(
          database, sql: "SELECT revoked FROM hostKey WHERE id = ?", arguments: [id])
        guard let row else {
          throw HostError(.notFound, "There is no key of that id", remedy: "List the keys for their ids")
        }
        // The first time counts.
        guard try row.optionalTimestamp("revoked") == nil else { return }
        try database.execute(
          sql: "UPDATE hostKey SET revoked = ? WHERE id = ?", arguments: [time.milliseconds, id])
        try AuditRows.insert(entry, database)
      }
    }
  }
#endif
