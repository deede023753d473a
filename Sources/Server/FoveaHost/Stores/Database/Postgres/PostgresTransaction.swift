// SPDX-License-Identifier: Apache-2.0
#if Server

/// The statements that start a transaction of PostgreSQL.
struct PostgresTransaction: Sendable {
  /// Nil for one statement, which is a transaction by itself.
  let begin: String?
  /// Waits for other transactions, before the transaction sees anything; nil if it waits for none.
  var lock: String?

  /// One statement that reads: a third of the round trips of other transactions.
  static let statement = Self(begin: nil)
  /// Sees one state, and changes nothing.
  static let snapshot = Self(begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  /// Changes something, after all earlier changes of all hosts.
  ///
  /// Without the lock, changes of several hosts would be in each other's way, and be repeated. It keeps no
  /// one from reading. The statement sees nothing yet, unlike one that calls a function to lock.
  static let serializable = Self(
    begin: "BEGIN ISOLATION LEVEL SERIALIZABLE", lock: "LOCK TABLE generation IN EXCLUSIVE MODE")
  /// Makes tables; not serializable, because waiting for a lock must not fix what the transaction sees.
  static let making = Self(begin: "BEGIN ISOLATION LEVEL READ COMMITTED")
}
#endif
