// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension HostError {
  /// Converts an error of a database call into a host error; a host error stays unchanged.
  init(database error: any Error) {
    switch error {
    case let error as HostError: self = error
    case let error as DatabaseError: self = Self.of(error)
    case let error as SystemError: self.init(system: error)
    case let error as PostgresError: self.init(error)
    case is CancellationError:
      self.init(
        .unavailable, "The request was cancelled before it ended", remedy: "Send it again", cause: error)
    default:
      self.init(
        .unavailable, "The database has a row that cannot be read",
        remedy: "Run \(command: "host fsck"), and restore a backup if it finds damage", cause: error)
    }
  }

  /// Whether the database's content is damaged: SQLite reports it, or a row cannot be decoded.
  ///
  /// A lock, missing permissions and a failing disk do not mean that.
  var isOfDamagedContent: Bool {
    switch cause {
    case let error as DatabaseError: [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    case nil, is SystemError, is CancellationError, is PostgresError: false
    default: code == .unavailable
    }
  }

  private static func of(_ error: DatabaseError) -> HostError {
    switch error.resultCode {
    case .SQLITE_FULL: diskFull(cause: error)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      HostError(
        .unavailable, "Another program has locked the database", remedy: "Try again in a few seconds",
        cause: error)
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
      HostError(
        .unavailable, "The database cannot be written",
        remedy:
          "Make the folder writable for the host's user, and check that no disk is mounted read-only",
        cause: error)
    case .SQLITE_IOERR:
      HostError(
        .unavailable, "The database cannot be read or written: the disk has failed or is full",
        remedy: "Check the disk of the host's folder, then try again", cause: error)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      HostError(
        .unavailable, "The database is damaged",
        remedy: "Stop the host, run \(command: "host fsck"), and restore a backup",
        cause: error)
    case .SQLITE_INTERRUPT, .SQLITE_ABORT:
      HostError(
        .unavailable, "The request was cancelled before it ended", remedy: "Send it again", cause: error)
    default:
      HostError(
        .inner, "The database rejected a change (code \(error.extendedResultCode.rawValue))",
        remedy: "Report it with this text", cause: error)
    }
  }
}
#endif
