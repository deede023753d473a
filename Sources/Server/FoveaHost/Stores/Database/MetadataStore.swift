// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels
import GRDB
import Synchronization

/// The host's database: models, keys, objects, templates, experiments, counts and the audit log; everything
/// but the bytes of files.
///
/// Each method is one transaction, durable across a power failure once it has returned, and calls for one
/// model are linearizable. Changes given to it may run several times before one is stored.
package final class MetadataStore: Sendable {
  let database: any SQLDatabase
  /// Whether the last write failed because of the disk or the server.
  private let hasFailed: Mutex<Bool>
  /// True once the connection to the database was lost: changes may be stored that no caller knows of.
  private let hadOutage = Mutex(false)

  init(_ database: any SQLDatabase) {
    self.database = database
    hasFailed = Mutex(false)
  }

  /// Opens a file of SQLite.
  /// - Parameters:
  ///   - path: The path of the file; SQLite keeps two more files next to it, with `-wal` and `-shm` appended
  ///     to the name.
  ///   - creates: Whether to create a missing file with its tables, true by default. A host whose database
  ///     has disappeared must not start with an empty database.
  ///   - patience: The number of seconds for which a call waits for another process's lock; 2 by default.
  /// - Throws: `folder` for a database of a newer version or of another program; `unavailable`, `disk-full`.
  package convenience init(path: String, creates: Bool = true, patience: Double = 2) throws(HostError) {
    do {
      self.init(try SQLiteDatabase(path: path, creates: creates, patience: patience))
    } catch {
      throw HostError(database: error)
    }
  }

  /// Opens a database of PostgreSQL.
  /// - Parameters:
  ///   - address: The database.
  ///   - mark: The mark of the host's folder.
  ///   - use: The use of this process.
  ///   - file: The file of SQLite whose rows are moved there if the mark is not complete.
  /// - Throws: `folder` if the database belongs to another host, another program or a newer one;
  ///   `unavailable`, `disk-full`.
  convenience init(
    _ address: PostgresAddress, of mark: StoreMark, _ use: PostgresDatabase.Use, file: String
  ) throws(HostError) {
    do {
      let local = mark.isComplete ? nil : try SQLiteDatabase(path: file, creates: false, patience: 2)
      defer { local?.close() }
      let database = PostgresDatabase(address, use)
      try database.adopt(mark.id, from: local)
      self.init(database)
    } catch {
      throw HostError(database: error)
    }
  }

  /// Rejects strings with a zero byte: SQLite ends a string there, and would store a different one.
  static func checkText(_ text: String) throws(HostError) {
    guard !text.utf8.contains(0) else {
      throw HostError(.invalid, "A name contains a zero byte", remedy: "Use a name without it")
    }
  }

  /// Closes the database; later calls fail.
  package func close() { database.close() }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(HostError) -> Value {
    do { return try await database.read(body) } catch { throw failure(error) }
  }

  /// Converts an error of the database, and records a loss of the connection.
  func failure(_ error: any Error) -> HostError {
    if (error as? PostgresError)?.isOutage == true { hadOutage.withLock { $0 = true } }
    return HostError(database: error)
  }

  /// Returns true once after each loss of the connection to the database.
  func takeOutage() -> Bool {
    hadOutage.withLock { hadOutage in
      defer { hadOutage = false }
      return hadOutage
    }
  }

  /// The path of the file of SQLite; nil for PostgreSQL.
  var file: String? { (database as? SQLiteDatabase)?.pool.path }

  /// The database if other hosts may change it; nil for a file of SQLite.
  var shared: PostgresDatabase? { database as? PostgresDatabase }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(HostError) -> Value {
    do {
      let value = try await database.write { connection in
        let value = try body(connection)
        try Failpoint.pass("commit.before")
        return value
      }
      try Failpoint.pass("commit.after")
      hasFailed.withLock { $0 = false }
      return value
    } catch {
      let error = failure(error)
      if error.code == .diskFull || (error.code == .unavailable && !(error.cause is CancellationError)) {
        hasFailed.withLock { $0 = true }
      }
      throw error
    }
  }

  /// Returns the reason why reads fail now, nil if they succeed; writes may fail all the same.
  package func readProblem() async -> HostError? {
    do throws(HostError) {
      _ = try await read { try $0.rows("SELECT number FROM schema").count }
      return nil
    } catch {
      return error
    }
  }

  /// Returns the reason why it cannot be written to now; nil if it can.
  ///
  /// Writes only if the last write failed: a frequent probe must not keep the disk busy. For a full disk, the
  /// message has the number of free bytes.
  package func writeProblem() async -> HostError? {
    guard hasFailed.withLock({ $0 }) else { return nil }
    do throws(HostError) {
      _ = try await write { try $0.execute("UPDATE probe SET number = number + 1") }
      return nil
    } catch {
      guard error.code == .diskFull, let file, let free = FileSystem.freeBytes(at: file) else { return error }
      var full = error
      full.message +=
        ": \(DecimalText.counted(free, "byte is", "bytes are")) free, a change needs some "
        + "\(DecimalText.grouped(MetadataStore.changeSize)), and an upload its size"
      return full
    }
  }

  /// The bytes that a change of some rows may add to the log, for messages.
  private static let changeSize = 64 << 10
}
#endif
