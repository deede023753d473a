// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// Statements for many values: over a network, each statement takes the time of a round trip.
extension SQLConnection {
  /// Runs a statement for the values of a list.
  /// - Parameters:
  ///   - sql: The statement up to the list: `SELECT … WHERE id IN`.
  ///   - arguments: The values of its parameters.
  ///   - list: The list, each value once.
  /// - Returns: The rows, in no particular order.
  /// - Throws: Errors of the database.
  func rows(_ sql: String, _ arguments: SQLArguments, in list: [Int64]) throws -> [Row] {
    try StatementParts.of(list, width: 1).flatMap { part in
      try rows("\(sql) \(StatementParts.marks(part.count))", arguments + part.map { $0 })
    }
  }

  /// Runs a statement that changes rows for the values of a list, as ``rows(_:_:in:)`` does.
  func execute(_ sql: String, _ arguments: SQLArguments, in list: [Int64]) throws {
    for part in StatementParts.of(list, width: 1) {
      try execute("\(sql) \(StatementParts.marks(part.count))", arguments + part.map { $0 })
    }
  }

  /// Inserts rows.
  /// - Parameters:
  ///   - sql: The statement up to the rows: `INSERT INTO … VALUES`.
  ///   - rows: The rows, each with the same number of values.
  ///   - end: The rest of the statement, such as `ON CONFLICT … DO UPDATE …`; the rows must have different
  ///     keys.
  /// - Throws: Errors of the database.
  func insert(_ sql: String, _ rows: [SQLArguments], _ end: String = "") throws {
    guard let width = rows.first?.count else { return }
    for part in StatementParts.of(rows, width: width) {
      let marks = part.map { _ in StatementParts.marks(width) }.joined(separator: ", ")
      try execute("\(sql) \(marks) \(end)", Array(part.joined()))
    }
  }
}

/// The division of long lists among statements.
enum StatementParts {
  /// The maximum number of parameters of a list; older versions of SQLite accept 999 in a statement.
  static let most = 900

  /// Returns the parts of a list.
  ///
  /// Their lengths are powers of two, because a connection keeps each statement that it has prepared: lists
  /// of all lengths share some ten.
  /// - Parameters:
  ///   - list: The list.
  ///   - width: The number of parameters of an element.
  /// - Returns: The parts, in the order of the list.
  static func of<Element>(_ list: [Element], width: Int) -> [ArraySlice<Element>] {
    var rest = list[...]
    var parts: [ArraySlice<Element>] = []
    while !rest.isEmpty {
      var count = 1
      while count * 2 <= min(rest.count, most / width) { count *= 2 }
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts
  }

  /// Returns so many parameters in parentheses.
  static func marks(_ count: Int) -> String {
    "(" + repeatElement("?", count: count).joined(separator: ", ") + ")"
  }
}
#endif
