// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// Models as rows: one for the model, one for each version.
enum ModelRows {
  /// A model with the key of its row.
  struct Keyed {
    let key: Int64
    var model: HostModel
  }

  static func all(_ database: any SQLConnection) throws -> [HostModel] {
    try models(database.values(Int64.self, "SELECT key FROM model ORDER BY key"), database)
  }

  /// Returns the models with these keys, which are in increasing order.
  private static func models(_ keys: [Int64], _ database: any SQLConnection) throws -> [HostModel] {
    // A part at a time: rows take several times the memory of the models.
    try StatementParts.of(keys, width: 1).flatMap { part in
      let part = Array(part)
      var versions: [Int64: [ModelVersion]] = [:]
      for row in try database.rows("SELECT * FROM version WHERE model IN", [], in: part) {
        versions[try row.decode(forColumn: "model"), default: []].append(try version(row))
      }
      let found = try database.rows("SELECT * FROM model WHERE key IN", [], in: part).map(model)
      return found.sorted { $0.key < $1.key }.map { keyed in
        var model = keyed.model
        model.versions = (versions[keyed.key] ?? []).sorted { $0.number < $1.number }
        return model
      }
    }
  }

  /// - Throws: `not-found`; errors of SQLite.
  static func one(_ database: any SQLConnection, project: String, id: String) throws -> Keyed {
    let row = try database.row("SELECT * FROM model WHERE project = ? AND id = ?", [project, id])
    guard let row else {
      throw HostError(
        .notFound, "There is no model with that id",
        remedy: "List the models of the project to find their ids",
        cause: WireText.entityNotFound)
    }
    var keyed = try model(row)
    keyed.model.versions = try database.rows(
      "SELECT * FROM version WHERE model = ? ORDER BY number", [keyed.key]
    ).map(version)
    return keyed
  }

  /// Returns the models of a project whose revisions are not these, and the ids of all its models.
  static func changed(
    _ database: any SQLConnection, project: String, besides known: [String: Int64]
  ) throws -> (changed: [HostModel], ids: Set<String>) {
    let rows = try database.rows(
      "SELECT key, id, revision FROM model WHERE project = ? ORDER BY key", [project])
    var changed: [Int64] = []
    var ids: Set<String> = []
    for row in rows {
      let id: String = try row.decode(forColumn: "id")
      ids.insert(id)
      guard try row.decode(Int64.self, forColumn: "revision") != known[id] else { continue }
      changed.append(try row.decode(forColumn: "key"))
    }
    return (try models(changed, database), ids)
  }

  static func insert(_ model: HostModel, _ database: any SQLConnection) throws {
    let key = try database.value(
      Int64.self,
      """
      INSERT INTO model (project, id, name, created, updated, revision, seed, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING key
      """,
      [
        model.project, model.id, model.name, model.created.milliseconds, model.updated.milliseconds,
        model.revision, model.seed, ColumnJSON.text(ModelState(model)),
      ])
    guard let key else {
      throw HostError(.inner, "The database has no key for a new model", remedy: "Report it with this text")
    }
    try put(model.versions, of: key, database)
  }

  /// Writes the changes.
  static func update(_ keyed: Keyed, from old: HostModel, _ database: any SQLConnection) throws {
    let model = keyed.model
    try database.execute(
      "UPDATE model SET name = ?, updated = ?, revision = ?, state = ? WHERE key = ?",
      [
        model.name, model.updated.milliseconds, model.revision, ColumnJSON.text(ModelState(model)),
        keyed.key,
      ])
    let before = Dictionary(old.versions.map { ($0.number, $0) }) { _, last in last }
    try put(model.versions.filter { before[$0.number] != $0 }, of: keyed.key, database)
    let left = Set(model.versions.map(\.number))
    for number in before.keys where !left.contains(number) {
      try database.execute("DELETE FROM version WHERE model = ? AND number = ?", [keyed.key, number])
    }
  }

  private static func put(_ versions: [ModelVersion], of key: Int64, _ database: any SQLConnection) throws {
    for version in versions {
      try database.execute(
        """
        INSERT INTO version
          (model, number, sha256, size, created, author, notes, facts, isWithdrawn, retired)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (model, number) DO UPDATE SET
          sha256 = excluded.sha256, size = excluded.size, created = excluded.created,
          author = excluded.author, notes = excluded.notes, facts = excluded.facts,
          isWithdrawn = excluded.isWithdrawn, retired = excluded.retired
        """,
        [
          key, version.number, version.sha256, version.size, version.created.milliseconds, version.author,
          version.notes, ColumnJSON.text(version.facts), version.isWithdrawn, version.retired?.milliseconds,
        ])
    }
  }

  private static func model(_ row: Row) throws -> Keyed {
    var model = HostModel(
      project: try row.decode(forColumn: "project"), id: try row.decode(forColumn: "id"),
      name: try row.decode(forColumn: "name"), created: try row.timestamp("created"),
      seed: try row.decode(forColumn: "seed"))
    model.updated = try row.timestamp("updated")
    model.revision = try row.decode(forColumn: "revision")
    try ColumnJSON.value(try row.decode(forColumn: "state"), as: ModelState.self).apply(to: &model)
    return Keyed(key: try row.decode(forColumn: "key"), model: model)
  }

  private static func version(_ row: Row) throws -> ModelVersion {
    ModelVersion(
      number: try row.decode(forColumn: "number"), sha256: try row.decode(forColumn: "sha256"),
      size: try row.decode(forColumn: "size"), created: try row.timestamp("created"),
      author: try row.decode(forColumn: "author"), notes: try row.decode(forColumn: "notes"),
      facts: try ColumnJSON.value(try row.decode(forColumn: "facts")),
      isWithdrawn: try row.decode(forColumn: "isWithdrawn"),
      retired: try row.optionalTimestamp("retired"))
  }
}

extension Row {
  func timestamp(_ column: String) throws -> Timestamp {
    Timestamp(milliseconds: try decode(forColumn: column))
  }

  func optionalTimestamp(_ column: String) throws -> Timestamp? {
    try decode(Int64?.self, forColumn: column).map(Timestamp.init(milliseconds:))
  }
}
#endif
