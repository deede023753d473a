// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// The values of the parameters of a statement.
typealias SQLArguments = [(any DatabaseValueConvertible & Sendable)?]

/// A transaction of a database.
///
/// Statements are in the SQL that SQLite and PostgreSQL share, with `?` for each parameter; integers have 64
/// bits, and there is no type for booleans.
protocol SQLConnection {
  /// Runs a statement.
  /// - Returns: Its rows, whose columns have names that match in any case.
  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [Row]
  /// Runs a statement.
  /// - Returns: The number of rows that it changed.
  @discardableResult func execute(_ sql: String, _ arguments: SQLArguments) throws -> Int
  /// Runs an INSERT, and notifies the other hosts of the database, once the transaction is stored, that what
  /// they have in memory has changed.
  func announce(_ insert: String, _ arguments: SQLArguments) throws
}

extension SQLConnection {
  func rows(_ sql: String) throws -> [Row] { try rows(sql, []) }

  @discardableResult func execute(_ sql: String) throws -> Int { try execute(sql, []) }

  /// Returns the first row; nil if there is none.
  func row(_ sql: String, _ arguments: SQLArguments) throws -> Row? { try rows(sql, arguments).first }

  /// Returns the first column of the first row; nil if there is no row, or it is null.
  func value<Value: DatabaseValueConvertible>(
    _: Value.Type, _ sql: String, _ arguments: SQLArguments = []
  ) throws -> Value? {
    try row(sql, arguments)?.decode(Value?.self, atIndex: 0)
  }

  /// Returns the first column of all rows.
  func values<Value: DatabaseValueConvertible>(
    _: Value.Type, _ sql: String, _ arguments: SQLArguments = []
  ) throws -> [Value] {
    try rows(sql, arguments).map { try $0.decode(Value.self, atIndex: 0) }
  }
}

/// A database: SQLite or PostgreSQL.
protocol SQLDatabase: Sendable {
  /// Runs `body` in a transaction that sees one state and changes nothing; `body` may run twice.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value
  /// Runs `body` in a transaction that is serializable and durable once it returns; `body` may run several
  /// times.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value
  /// Writes a copy of the whole database to a new SQLite file, whose folder exists.
  func copy(to path: String) async throws
  /// Returns the damage that the database finds in itself, as sentences.
  func damage() async throws -> [String]
  /// Closes the database; later calls fail.
  func close()
}
#endif
