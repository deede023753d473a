// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// The tables by which the hosts of a database, its nodes, know of each other; a file of SQLite has none.
enum PostgresNodes {
  /// Makes the tables that are missing.
  ///
  /// - `generation` has the number of changes of what nodes have in memory. Each change locks it, so that the
  ///   changes of all nodes follow one another.
  /// - `operation` has those that nodes other than theirs may be asked for.
  /// - `leader` has the number of times that a node has become the leader.
  static func prepare(_ database: any SQLConnection) throws {
    for (table, column) in [("generation", "number"), ("leader", "epoch")] {
      try database.execute("CREATE TABLE IF NOT EXISTS \(table) (\(column) BIGINT NOT NULL)")
      try database.execute(
        "INSERT INTO \(table) (\(column)) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM \(table))")
    }
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS operation (
        id TEXT PRIMARY KEY, node BIGINT NOT NULL, began TIMESTAMPTZ NOT NULL DEFAULT now(),
        state TEXT NOT NULL
      )
      """)
  }

  /// Returns the number of changes of what nodes have in memory.
  static func generation(_ database: any SQLConnection) throws -> Int64 {
    try database.value(Int64.self, "SELECT number FROM generation") ?? 0
  }
}

extension MetadataStore {
  /// Returns the number of changes of what nodes have in memory; 0 for a file of SQLite, which no node
  /// shares.
  func generation() async throws(HostError) -> Int64 {
    guard let shared else { return 0 }
    do { return try await shared.query { try PostgresNodes.generation($0) } } catch { throw failure(error) }
  }
}
#endif
