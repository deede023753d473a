// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// Copies the rows of a host from one database to another, both with its tables.
enum TableCopy {
  /// The tables, those before others that refer to them, with the columns of their keys.
  static let tables: [(name: String, key: [String])] = [
    ("model", ["key"]), ("usedID", ["project", "id"]), ("version", ["model", "number"]),
    ("audit", ["number"]), ("object", ["bucket", "name"]), ("hostKey", ["id"]),
    ("config", ["project", "namespace", "number"]), ("experiment", ["key"]),
    ("experimentUnit", ["experiment", "unit"]),
    ("experimentSum", ["experiment", "period", "day", "variant"]),
    ("experimentRefusal", ["experiment", "reason"]), ("waitingValue", ["rowid"]),
    ("countedEvent", ["generation", "id"]), ("versionLoad", ["project", "model", "run", "share", "version"]),
    ("sentFile", ["project", "sha256"]),
  ]
  /// The maximum number of rows in memory.
  private static let pageSize = 2_000
  /// The number of bytes from which rows are another statement: each ends in time over a slow network.
  private static let partBytes = 4 << 20

  /// Copies all rows into empty tables.
  static func copy(_ source: any SQLConnection, to target: any SQLConnection) throws {
    for table in tables {
      let key = table.key.joined(separator: ", ")
      var last: SQLArguments = []
      while true {
        let marks = last.map { _ in "?" }.joined(separator: ", ")
        let condition = last.isEmpty ? "" : "WHERE (\(key)) > (\(marks)) "
        let columns = table.key == ["rowid"] ? "rowid, *" : "*"
        let rows = try source.rows(
          "SELECT \(columns) FROM \(table.name) \(condition)ORDER BY \(key) LIMIT ?", last + [pageSize])
        try insert(rows, into: table.name, target)
        guard rows.count == pageSize, let row = rows.last else { break }
        last = table.key.map { row[$0] as DatabaseValue }
      }
    }
  }

  private static func insert(_ rows: [Row], into table: String, _ target: any SQLConnection) throws {
    // In one order for all pages, so that each statement is prepared once.
    guard let columns = rows.first?.columnNames.sorted() else { return }
    let sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES"
    var part: [SQLArguments] = []
    var bytes = 0
    for row in rows {
      let values = columns.map { row[$0] as DatabaseValue }
      part.append(values)
      bytes += values.reduce(0) { $0 + size($1) }
      guard bytes >= partBytes else { continue }
      try target.insert(sql, part)
      (part, bytes) = ([], 0)
    }
    try target.insert(sql, part)
  }

  private static func size(_ value: DatabaseValue) -> Int {
    switch value.storage {
    case .string(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    case .null, .int64, .double: 8
    }
  }

  /// Removes all rows.
  static func clear(_ target: any SQLConnection) throws {
    for table in tables.reversed() { try target.execute("DELETE FROM \(table.name)") }
  }

  /// Makes PostgreSQL continue with the keys after those copied.
  static func moveKeys(_ target: any SQLConnection) throws {
    for table in tables where ["key", "number", "rowid"].contains(table.key[0]) {
      try target.execute(
        """
        SELECT setval(pg_get_serial_sequence('\(table.name.lowercased())', '\(table.key[0])'),
          (SELECT coalesce(max(\(table.key[0])), 0) + 1 FROM \(table.name)), false)
        """)
    }
  }
}
#endif
