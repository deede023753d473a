// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// A database of PostgreSQL.
///
/// One connection writes, so that the changes of a host do not get in each other's way, and up to four read.
final class PostgresDatabase: SQLDatabase {
  private static let snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
  private static let serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
  /// The keys of two advisory locks: while tables are made, and while a host serves.
  private static let (making, serving): (Int64, Int64) = (0x66_6F76_6561, 0x66_6F76_6562)

  private let address: PostgresAddress
  private let writer: PostgresPool
  private let readers: PostgresPool

  /// - Parameters:
  ///   - address: The database.
  ///   - isExclusive: True to refuse another process that serves from it.
  init(_ address: PostgresAddress, isExclusive: Bool) {
    self.address = address
    readers = PostgresPool(address, count: 4)
    writer = PostgresPool(address, count: 1) { connection in
      guard isExclusive else { return }
      // The server releases it when the connection ends.
      try connection.execute("SELECT pg_advisory_lock(?)", [Self.serving])
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await readers.run(Self.snapshot, body)
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await writer.run(Self.serializable, body)
  }

  func copy(to path: String) async throws {
    try await readers.run(Self.snapshot) { source in
      let queue = try DatabaseQueue(path: path)
      try queue.write { database in
        let target = SQLiteConnection(database: database)
        try DatabaseSchema.prepare(target)
        try TableCopy.copy(source, to: target)
      }
      try queue.close()
    }
  }

  /// Returns nothing: PostgreSQL enforces its constraints, and checks pages itself.
  func damage() async throws -> [String] { [] }

  func close() {
    writer.close()
    readers.close()
  }

  /// Makes the tables that are missing, and checks that they belong to the host.
  /// - Parameters:
  ///   - id: The id of the host.
  ///   - local: The file with the host's data, which are copied here, instead of what an interrupted copy has
  ///     left; nil if they are here already.
  /// - Throws: `folder` if the database belongs to another host, another program or a newer one.
  func adopt(_ id: String, from local: SQLiteDatabase?) throws {
    // Not serializable: waiting for the lock must not fix what the transaction sees.
    try writer.perform("BEGIN ISOLATION LEVEL READ COMMITTED") { target in
      try target.execute("SELECT pg_advisory_xact_lock(?)", [Self.making])
      let encoding = try target.value(String.self, "SELECT current_setting('server_encoding')") ?? ""
      guard encoding == "UTF8" else {
        throw HostError(
          .folder, "The database has the encoding \(encoding), not UTF8",
          remedy: "Create one for the host with createdb -E UTF8 -T template0", subject: address.text)
      }
      try DatabaseSchema.prepare(
        target,
        tables: target.values(
          String.self, "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()"),
        other: "Create one for the host with createdb, and give its address in \(flag: "metadata")",
        dialect: PostgresDialect.table)
      try target.execute("CREATE TABLE IF NOT EXISTS installation (id TEXT NOT NULL)")
      let owner = try target.value(String.self, "SELECT id FROM installation")
      guard owner == nil || owner == id else {
        throw HostError(
          .folder, "The database has the data of another host",
          remedy: "Choose another database, or the folder of that host", subject: address.text)
      }
      guard let local else {
        guard owner == nil else { return }
        throw HostError(
          .folder, "The database has no data of this host",
          remedy: "Correct the address of \(flag: "metadata"), or restore the database",
          subject: address.text)
      }
      try TableCopy.clear(target)
      try local.pool.read { try TableCopy.copy(SQLiteConnection(database: $0), to: target) }
      try TableCopy.moveKeys(target)
      if owner == nil { try target.execute("INSERT INTO installation (id) VALUES (?)", [id]) }
    }
  }
}
#endif
