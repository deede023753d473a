// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// A database in a file of SQLite.
///
/// Uses a write-ahead log and syncs each commit; one writer at a time, and readers that do not wait for it.
final class SQLiteDatabase: SQLDatabase {
  let pool: DatabasePool

  /// Opens the file; see ``MetadataStore/init(path:creates:patience:)``.
  init(path: String, creates: Bool, patience: Double) throws {
    if !creates { try Self.checkPresence(path) }
    // SQLite gives its other files the permissions of this one.
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(errno) }
    Descriptor.close(descriptor)
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.maximumReaderCount = 4
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try pool.write { try DatabaseSchema.prepare(SQLiteConnection(database: $0)) }
  }

  /// Returns the version of the tables of a file, which it does not change; nil without tables.
  /// - Throws: The errors of ``init(path:creates:patience:)``.
  static func version(path: String) throws -> Int? {
    try checkPresence(path)
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { try DatabaseSchema.version(SQLiteConnection(database: $0)) }
  }

  private static func checkPresence(_ path: String) throws(HostError) {
    guard let size = FileStatus(FilePath(path))?.size else {
      throw HostError(.folder, "The database is missing", remedy: "Restore a backup")
    }
    // SQLite treats a shorter file as a new database.
    guard size >= 512 else {
      throw HostError(.unavailable, "The database is damaged", remedy: "Restore a backup")
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await pool.read { try body(SQLiteConnection(database: $0)) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await pool.write { try body(SQLiteConnection(database: $0)) }
  }

  func copy(to path: String) async throws {
    try await pool.read { source in
      let copy = try DatabaseQueue(path: path)
      try copy.writeWithoutTransaction { destination in
        try source.backup(to: destination)
        // One file without a log; the host that opens it sets the log up again.
        try destination.execute(sql: "PRAGMA journal_mode = DELETE")
      }
      try copy.close()
    }
  }

  func damage() async throws -> [String] {
    try await pool.read { database in
      let rows = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
      let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
      var found: [String] = []
      if !rows.isEmpty { found.append(MetadataStore.damage) }
      if !orphans.isEmpty {
        found.append(
          DecimalText.counted(orphans.count, "version belongs", "versions belong")
            + " to no model: restore a backup"
        )
      }
      return found
    }
  }

  func close() { try? pool.close() }
}

/// A transaction of SQLite.
struct SQLiteConnection: SQLConnection {
  let database: Database

  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [Row] {
    try Row.fetchAll(database.cachedStatement(sql: sql), arguments: bound(arguments))
  }

  @discardableResult func execute(_ sql: String, _ arguments: SQLArguments) throws -> Int {
    try database.cachedStatement(sql: sql).execute(arguments: bound(arguments))
    return database.changesCount
  }

  /// Notifies no one: one host has the file open.
  func announce(_ insert: String, _ arguments: SQLArguments) throws { try execute(insert, arguments) }

  private func bound(_ arguments: SQLArguments) -> StatementArguments {
    StatementArguments(arguments as [(any DatabaseValueConvertible)?])
  }
}
#endif
