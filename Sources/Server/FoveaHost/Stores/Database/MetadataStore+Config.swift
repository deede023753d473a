// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Returns the template in force of each namespace of a project that has one.
  package func currentConfigs(project: String) async throws(HostError) -> [StoredConfig] {
    try await read { database in
      let rows = try database.rows(
        """
        SELECT namespace, version, template FROM config AS present WHERE project = ? AND number =
          (SELECT max(number) FROM config WHERE project = present.project AND namespace = present.namespace)
        ORDER BY namespace
        """, [project])
      return try rows.map { try Self.config($0) }
    }
  }

  /// Stores a template as the next version, adds a row to the audit log, and removes versions past their
  /// retention.
  /// - Throws: `etag-mismatch` if the version in force is not the one the draft expects.
  package func publish(_ draft: ConfigDraft, entry: AuditEntry) async throws(HostError) -> StoredConfig {
    try Self.checkText(draft.text)
    return try await write { database in
      let current =
        try database.value(
          Int.self, "SELECT max(number) FROM config WHERE project = ? AND namespace = ?",
          [draft.project, draft.namespace.rawValue]) ?? 0
      guard draft.expected.map({ $0 == current }) ?? true else {
        throw HostError.configChanged(expected: draft.expected ?? 0, current: current)
      }
      let version = ConfigVersion(
        number: current + 1, time: entry.time, kind: draft.kind, author: entry.actor,
        description: draft.description, rollbackSource: draft.rollbackSource)
      try database.execute(
        """
        INSERT INTO config (project, namespace, number, created, version, template)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        [
          draft.project, draft.namespace.rawValue, version.number, entry.time.milliseconds,
          try ColumnJSON.text(version), draft.text,
        ])
      try database.execute(
        """
        DELETE FROM config WHERE project = ? AND namespace = ? AND number < ? AND (number <= ? OR created < ?)
        """,
        [
          draft.project, draft.namespace.rawValue, version.number, version.number - ConfigLimits.versions,
          entry.time.advanced(seconds: -ConfigLimits.days * 86_400).milliseconds,
        ])
      var entry = entry
      if current > 0 { entry.before = "\(draft.namespace.rawValue) version \(current)" }
      entry.after = "\(draft.namespace.rawValue) version \(version.number)"
      try AuditRows.insert(entry, database)
      return StoredConfig(namespace: draft.namespace, version: version, text: draft.text)
    }
  }

  /// Returns versions without their templates, latest first.
  package func configVersions(
    project: String, namespace: ConfigNamespace
  ) async throws(HostError) -> [ConfigVersion] {
    try await read { database in
      let texts = try database.values(
        String.self, "SELECT version FROM config WHERE project = ? AND namespace = ? ORDER BY number DESC",
        [project, namespace.rawValue])
      return try texts.map { try ColumnJSON.value($0) }
    }
  }

  /// Returns a version with its template; nil if there is none, or it has been removed.
  package func config(
    project: String, namespace: ConfigNamespace, number: Int
  ) async throws(HostError) -> StoredConfig? {
    try await read { database in
      try Self.config(database, project: project, namespace: namespace.rawValue, number: number)
    }
  }

  /// Returns the templates in force whose numbers are not these: a template may have a megabyte.
  static func configs(
    _ database: any SQLConnection, project: String, besides known: [ConfigNamespace: Int]
  ) throws -> [StoredConfig] {
    let rows = try database.rows(
      "SELECT namespace, max(number) AS number FROM config WHERE project = ? GROUP BY namespace", [project])
    return try rows.compactMap { row in
      let (namespace, number): (String, Int) = (
        try row.decode(forColumn: "namespace"), try row.decode(forColumn: "number")
      )
      guard ConfigNamespace(rawValue: namespace).flatMap({ known[$0] }) != number else { return nil }
      return try config(database, project: project, namespace: namespace, number: number)
    }
  }

  private static func config(
    _ database: any SQLConnection, project: String, namespace: String, number: Int
  ) throws -> StoredConfig? {
    let row = try database.row(
      """
      SELECT namespace, version, template FROM config WHERE project = ? AND namespace = ? AND number = ?
      """, [project, namespace, number])
    return try row.map { try config($0) }
  }

  private static func config(_ row: Row) throws -> StoredConfig {
    let name: String = try row.decode(forColumn: "namespace")
    guard let namespace = ConfigNamespace(rawValue: name) else {
      // Written by a newer program, or damaged.
      throw HostError(
        .unavailable, "The database has a template of an unknown namespace",
        remedy: "Run \(command: "host fsck"), and restore a backup")
    }
    let version: String = try row.decode(forColumn: "version")
    return StoredConfig(
      namespace: namespace, version: try ColumnJSON.value(version),
      text: try row.decode(forColumn: "template"))
  }
}

extension HostError {
  /// The version in force is not the one the caller has read.
  static func configChanged(expected: Int, current: Int) -> HostError {
    HostError(
      .etagMismatch,
      "The template was changed: version \(current) is in force, the request is for version \(expected)",
      remedy: "Read the template again, repeat the change, and publish the result",
      cause: current - 1 == expected ? OneChangeSince() : nil)
  }
}
#endif
