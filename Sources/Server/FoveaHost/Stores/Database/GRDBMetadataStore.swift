// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB
import Synchronization

/// A ``MetadataStore`` in one SQLite file.
///
/// Write-ahead log, each commit synced before it is answered; one writer at a time, and readers that do not wait for it. Each call is one
/// transaction.
package final class GRDBMetadataStore: MetadataStore {
  let pool: DatabasePool
  /// Whether the last write has failed for a reason that lies with the disk.
  private let hasFailed = Mutex(false)

  /// Opens the file.
  /// - Parameters:
  ///   - path: The file; others with `-wal` and `-shm` at the end of its name lie next to it.
  ///   - creates: Whether it is made with its tables where it is missing, true by default. A host that has one must not begin
  ///     with an empty one where the file is gone.
  ///   - patience: For how many seconds a call waits for another process that has locked the file; 2 by default.
  /// - Throws: `folder` for a database of a newer version, or of another program; `unavailable`, `disk-full`.
  package init(path: String, creates: Bool = true, patience: Double = 2) throws(HostError) {
    if !creates { try Self.checkPresence(path) }
    // SQLite gives its other files the rights of this one.
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw HostError(system: SystemError(errno)) }
    Descriptor.close(descriptor)
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.maximumReaderCount = 4
    do {
      pool = try DatabasePool(path: path, configuration: configuration)
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try pool.write { try DatabaseSchema.prepare($0) }
    } catch {
      throw HostError(database: error)
    }
  }

  private static func checkPresence(_ path: String) throws(HostError) {
    guard let size = FileStatus(FilePath(path))?.size else {
      throw HostError(.folder, "The database is missing", remedy: "Restore a backup")
    }
    // SQLite takes a shorter file for a new one.
    guard size >= 512 else {
      throw HostError(.unavailable, "The database is damaged", remedy: "Restore a backup")
    }
  }

  /// Texts end at a zero byte in SQLite: one with a zero would be another text there.
  static func checkText(_ text: String) throws(HostError) {
    guard !text.utf8.contains(0) else {
      throw HostError(.invalid, "A name has a zero byte in it", remedy: "Use a name without it")
    }
  }

  /// Closes the file; calls that come later fail.
  package func close() { try? pool.close() }

  /// SQLite's number for how commits are synced, for tests: 2 is FULL.
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

  /// Whether it answers reads, also where nothing can be written.
  package func isReadable() async -> Bool {
    do throws(HostError) {
      _ = try await read { try Int.fetchOne($0, sql: "SELECT number FROM schema") }
      return true
    } catch {
      return false
    }
  }

  /// Reads only, as long as writes succeed: a probe that is asked for often must not keep the disk busy.
  package func isReady() async -> Bool {
    guard await isReadable() else { return false }
    do throws(HostError) {
      guard hasFailed.withLock({ $0 }) else { return true }
      try await write { try $0.execute(sql: "UPDATE probe SET number = number + 1") }
      return true
    } catch {
      return false
    }
  }
}
#endif
