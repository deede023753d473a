// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// Another program that writes to a host's database, until it is released.
final class DatabaseLock {
  private let queue: DatabaseQueue

  init(_ path: String) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  /// Writes the log of a database into its file, while no process has it open.
  static func emptyLog(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.close()
  }

  func release() throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
  }
}
#endif
