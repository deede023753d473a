// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// The operations that nodes other than theirs may be asked for; only for databases that hosts share.
extension MetadataStore {
  /// Makes an operation known to other nodes, unless they know how it has ended.
  func share(_ id: String, _ operation: SharedOperation) async throws(HostError) {
    guard let shared else { return }
    _ = try await write { database in
      try database.execute(
        "INSERT INTO operation (id, node, state) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
        [id, shared.node, try ColumnJSON.text(operation)])
    }
  }

  /// Stores for other nodes the end of an operation; tries for a minute if the database is out of reach.
  func keepEnd(of id: String, _ operation: SharedOperation) async {
    guard let shared else { return }
    for attempt in 1...12 {
      let kept: Void? = try? await write { database in
        try database.execute(
          """
          INSERT INTO operation (id, node, state) VALUES (?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET node = excluded.node, state = excluded.state
          """, [id, shared.node, try ColumnJSON.text(operation)])
      }
      guard kept == nil, attempt < 12 else { return }
      try? await Task.sleep(for: .seconds(5))
    }
  }

  /// Returns an operation, and the node that runs it with whether it is connected to the database; nil if it
  /// is unknown.
  func operation(
    _ id: String
  ) async throws(HostError) -> (operation: SharedOperation, node: Int64, isAlive: Bool)? {
    try await read { database in
      let row = try database.row(
        """
        SELECT state, node, node IN (
          SELECT CAST(objid AS BIGINT) FROM pg_locks
          WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND CAST(classid AS BIGINT) = ?
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS alive
        FROM operation WHERE id = ?
        """, [PostgresLine.locks, id])
      guard let row else { return nil }
      return (
        try ColumnJSON.value(try row.decode(String.self, forColumn: "state")),
        try row.decode(Int64.self, forColumn: "node"), try row.decode(Bool.self, forColumn: "alive")
      )
    }
  }

  /// Sends a message to all nodes.
  func send(_ message: PostgresLine.Message) async throws(HostError) {
    _ = try await read { try $0.execute("SELECT pg_notify('fovea', CAST(? AS TEXT))", [message.text]) }
  }

  /// Removes the operations of more than a day ago.
  /// - Throws: `conflict` if another node leads now.
  func removeOldOperations(by leadership: Leadership) async throws(HostError) {
    try await write { database in
      try leadership.check(database)
      try database.execute("DELETE FROM operation WHERE began < now() - CAST('1 day' AS INTERVAL)")
    }
  }
}
#endif
