// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels
import GRDB
import Synchronization

/// The host's database, one SQLite file: models, keys, objects, templates, experiments, counts and the audit
/// log; everything but the bytes of files.
///
/// Uses a write-ahead log and syncs each commit before it is answered; one writer at a time, and readers that
/// do not wait for it. Each method is one transaction, durable across a power failure once it has returned,
/// and calls for one model are linearizable. No other type names a database.
package final class MetadataStore: Sendable {
  let pool: DatabasePool
  /// Whether the last write failed because of the disk.
  private let hasFailed: Mutex<Bool>

  /// Opens the file.
  /// - Parameters:
  ///   - path: The path of the file; SQLite keeps two more files next to it, with `-wal` and `-shm` appended
  ///     to the name.
  ///   - creates: Whether to create a missing file with its tables, true by default. A host whose database
  ///     has disappeared must not start with an empty database.
  ///   - patience: The number of seconds for which a call waits for another process's lock; 2 by default.
  /// - Throws: `folder` for a database of a newer version or of another program; `unavailable`, `disk-full`.
  package init(path: String, creates: Bool = true, patience: Double = 2) throws(HostError) {
    pool = try Self.pool(path: path, creates: creates, patience: patience)
    // Set last: Swift 6.3.1 cannot optimise an initialiser that destroys a mutex when it throws.
    hasFailed = Mutex(false)
  }

  private static func pool(
    path: String, creates: Bool, patience: Double
  ) throws(HostError) -> DatabasePool {
    if !creates { try checkPresence(path) }
    // SQLite gives its other files the permissions of this one.
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw HostError(system: SystemError(errno)) }
    Descriptor.close(descriptor)
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.maximumReaderCount = 4
    do {
      let pool = try DatabasePool(path: path, configuration: configuration)
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try pool.write { try DatabaseSchema.prepare($0) }
      return pool
    } catch {
      throw HostError(database: error)
    }
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

  /// Rejects strings with a zero byte: SQLite ends a string there, and would store a different one.
  static func checkText(_ text: String) throws(HostError) {
    guard !text.utf8.contains(0) else {
      throw HostError(.invalid, "A name contains a zero byte", remedy: "Use a name without it")
    }
  }

  /// Closes the file; later calls fail.
  package func close() { try? pool.close() }

  /// Returns SQLite's level of syncing commits, for tests: 2 is FULL.
  package func synchronous() async throws(HostError) -> Int? {
    try await write { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
  }

  func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws(HostError) -> Value {
    do { return try await pool.read(body) } catch { throw HostError(database: error) }
  }

  func write<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws(HostError) -> Value {
    do {
      let value = try await pool.write { database in
        let value = try body(database)
        try Failpoint.pass("commit.before")
        return value
      }
      try Failpoint.pass("commit.after")
      hasFailed.withLock { $0 = false }
      return value
    } catch {
      let error = HostError(database: error)
      if error.code == .diskFull || (error.code == .unavailable && !(error.cause is CancellationError)) {
        hasFailed.withLock { $0 = true }
      }
      throw error
    }
  }

  /// Returns the reason why reads fail now, nil if they succeed; writes may fail all the same.
  package func readProblem() async -> HostError? {
    do throws(HostError) {
      _ = try await read { try Int.fetchOne($0, sql: "SELECT number FROM schema") }
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
      try await write { try $0.execute(sql: "UPDATE probe SET number = number + 1") }
      return nil
    } catch {
      guard error.code == .diskFull, let free = FileSystem.freeBytes(at: pool.path) else { return error }
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
