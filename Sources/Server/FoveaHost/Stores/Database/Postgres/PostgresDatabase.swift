// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// A database of PostgreSQL.
///
/// One connection writes, so that the changes of a host do not get in each other's way, and up to four read;
/// ``PostgresLine`` is one more.
final class PostgresDatabase: SQLDatabase {
  /// The use of a database by a process among others.
  enum Use: Sendable {
    /// Next to hosts that serve from it.
    case aside
    /// Serves from it, and refuses other hosts.
    case alone
    /// Serves from it, next to hosts that do the same.
    case among

    /// The function of the server that takes the lock of hosts that serve; nil if none is needed.
    fileprivate var lock: String? {
      switch self {
      case .aside: nil
      case .alone: "pg_advisory_lock"
      case .among: "pg_advisory_lock_shared"
      }
    }
  }

  /// The keys of two advisory locks: while tables are made, and while a host serves.
  private static let (making, serving): (Int64, Int64) = (0x66_6F76_6561, 0x66_6F76_6562)

  let servers: PostgresServers
  let use: Use
  /// The number of this process among those that use the database: random, because nothing else would give
  /// each a different one.
  let node = Int64.random(in: 1...Int64(Int32.max))
  private let writer: PostgresPool
  private let readers: PostgresPool

  /// - Parameters:
  ///   - address: The database.
  ///   - use: The use of this process.
  init(_ address: PostgresAddress, _ use: Use) {
    self.use = use
    servers = PostgresServers(address)
    readers = PostgresPool(servers, count: 4, node: node)
    writer = PostgresPool(servers, count: 1, node: node) { connection in
      guard let lock = use.lock else { return }
      // The server releases it when the connection ends.
      try connection.execute("SELECT \(lock)(?)", [Self.serving])
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await readers.run(.snapshot, body)
  }

  /// Runs `body`, which runs one statement that reads; `body` may run twice.
  func query<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await readers.run(.statement, body)
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await writer.run(.serializable, body)
  }

  func copy(to path: String) async throws {
    try await readers.run(.snapshot) { source in
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

  /// Returns the version of the tables, which it does not change; nil without tables.
  /// - Throws: `folder` for the database of another program or a newer one; errors of the server.
  func version() throws -> Int? { try readers.perform(.snapshot, Self.version) }

  private static func version(_ connection: any SQLConnection) throws -> Int? {
    try DatabaseSchema.version(
      connection,
      tables: connection.values(
        String.self, "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()"),
      other: "Create one for the host with createdb, and give its address in \(flag: "metadata")")
  }

  /// Makes the tables that are missing, and checks that they belong to the host.
  /// - Parameters:
  ///   - id: The id of the host.
  ///   - local: The file with the host's data, which are copied here, instead of what an interrupted copy has
  ///     left; nil if they are here already.
  /// - Throws: `folder` if the database belongs to another host, another program or a newer one.
  func adopt(_ id: String, from local: SQLiteDatabase?) throws {
    try writer.perform(.making) { target in
      try target.execute("SELECT pg_advisory_xact_lock(?)", [Self.making])
      try checkEncoding(target)
      try DatabaseSchema.prepare(target, version: Self.version(target), dialect: PostgresDialect.table)
      try target.execute("CREATE TABLE IF NOT EXISTS installation (id TEXT NOT NULL)")
      try PostgresNodes.prepare(target)
      let owner = try owner(target, for: id)
      guard let local else {
        guard owner == nil else { return }
        throw HostError(
          .folder, "The database has no data of this host",
          remedy: "Correct the address of \(flag: "metadata"), or restore the database",
          subject: servers.address.text)
      }
      try TableCopy.clear(target)
      try local.pool.read { try TableCopy.copy(SQLiteConnection(database: $0), to: target) }
      try TableCopy.moveKeys(target)
      if owner == nil { try target.execute("INSERT INTO installation (id) VALUES (?)", [id]) }
    }
  }

  /// Checks that the database belongs to a host, or to none yet; changes nothing.
  /// - Throws: The errors of ``adopt(_:from:)``.
  func check(_ id: String) throws {
    try readers.perform(.snapshot) { target in
      try checkEncoding(target)
      if try Self.version(target) != nil { _ = try owner(target, for: id) }
    }
  }

  private func checkEncoding(_ connection: any SQLConnection) throws {
    let encoding = try connection.value(String.self, "SELECT current_setting('server_encoding')") ?? ""
    guard encoding == "UTF8" else {
      throw HostError(
        .folder, "The database has the encoding \(encoding), not UTF8",
        remedy: "Create one for the host with createdb -E UTF8 -T template0", subject: servers.address.text)
    }
  }

  /// Returns the id of the host that has its data here; nil if none has.
  /// - Throws: `folder` for another id than `id`.
  private func owner(_ connection: any SQLConnection, for id: String) throws -> String? {
    let owner = try connection.value(String.self, "SELECT id FROM installation")
    guard owner == nil || owner == id else {
      throw HostError(
        .folder, "The database has the data of another host",
        remedy: "Choose another database, or the folder of that host", subject: servers.address.text)
    }
    return owner
  }
}
#endif
