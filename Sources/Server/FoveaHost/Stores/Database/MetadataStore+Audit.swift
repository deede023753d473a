// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Returns rows of the audit log, latest first.
  package func audit(project: String, model: String?, limit: Int) async throws(HostError) -> [AuditEntry] {
    var query = AuditQuery(project: project)
    query.model = model ?? ""
    return try await audit(query, limit: limit)
  }

  /// Returns the rows that match a query, latest first.
  package func audit(_ query: AuditQuery, limit: Int) async throws(HostError) -> [AuditEntry] {
    let condition = Condition(query)
    let isUpwards = query.above != nil
    let order = isUpwards ? "ASC" : "DESC"
    let rows = try await read { database in
      try database.rows(
        "SELECT * FROM audit WHERE \(condition.sql) ORDER BY number \(order) LIMIT ?",
        condition.arguments + [max(limit, 0)]
      ).map(AuditRows.entry)
    }
    return isUpwards ? rows.reversed() : rows
  }

  /// Returns the number of rows that match a query.
  package func auditCount(_ query: AuditQuery) async throws(HostError) -> Int {
    let condition = Condition(query)
    return try await read { database in
      try database.value(Int.self, "SELECT count(*) FROM audit WHERE \(condition.sql)", condition.arguments)
        ?? 0
    }
  }

  /// Returns the distinct actions of a project's audit log.
  package func auditActions(project: String) async throws(HostError) -> [String] {
    try await read { database in
      try database.values(
        String.self, "SELECT DISTINCT action FROM audit WHERE +project = ? ORDER BY action", [project])
    }
  }

  /// The filter of a query as SQL; its values are arguments.
  private struct Condition {
    private var terms: [String] = []
    private(set) var arguments = SQLArguments()

    var sql: String { terms.joined(separator: " AND ") }

    init(_ query: AuditQuery) {
      // All rows belong to one project. With the plus sign, SQLite reads them in their order: the index of
      // models, which begins with the project, would only be a detour.
      add(query.model.isEmpty ? "+project = ?" : "project = ?", query.project)
      if !query.actor.isEmpty { add(Self.contains("actor"), Self.pattern(query.actor)) }
      if !query.action.isEmpty { add("action = ?", query.action) }
      if !query.model.isEmpty { add("model = ?", query.model) }
      if !query.text.isEmpty {
        terms.append("(" + Self.columns.map(Self.contains).joined(separator: " OR ") + ")")
        for _ in Self.columns { arguments += [Self.pattern(query.text)] }
      }
      if let from = query.from { add("time >= ?", from.milliseconds) }
      if let until = query.until { add("time < ?", until.milliseconds) }
      if let below = query.below { add("number < ?", below) }
      if let above = query.above { add("number > ?", above) }
    }

    private mutating func add(_ term: String, _ value: any DatabaseValueConvertible & Sendable) {
      terms.append(term)
      arguments.append(value)
    }

    /// The searched columns.
    private static let columns = ["actor", "action", "model", "before", "after"]

    private static func contains(_ column: String) -> String { "\(column) LIKE ? ESCAPE '\\'" }

    /// Returns the pattern of texts that contain a text; `LIKE` ignores the case of ASCII letters.
    private static func pattern(_ text: String) -> String {
      var pattern = "%"
      for character in text.unicodeScalars {
        if "%_\\".unicodeScalars.contains(character) { pattern += "\\" }
        pattern.unicodeScalars.append(character)
      }
      return pattern + "%"
    }
  }
}
#endif
