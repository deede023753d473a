// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Returns every model of every project.
  package func models() async throws(HostError) -> [HostModel] { try await read { try ModelRows.all($0) } }

  /// Returns the models of a project whose revisions are not these, and the ids of all its models.
  /// - Parameters:
  ///   - project: The project.
  ///   - known: The known revisions, by the ids of models.
  /// - Returns: The models and ids, as of one moment.
  /// - Throws: Any error of the database.
  package func models(
    of project: String, besides known: [String: Int64]
  ) async throws(HostError) -> (changed: [HostModel], ids: Set<String>) {
    try await read { try ModelRows.changed($0, project: project, besides: known) }
  }

  /// Adds a model and a row to the audit log.
  ///
  /// An error of `condition` is rethrown, and nothing changes.
  /// - Throws: `already-exists` if the project has a model of that name.
  package func create(
    _ model: HostModel, entry: AuditEntry, if condition: @escaping KeyCheck
  ) async throws(HostError) {
    try await write { database in
      try condition()
      try Self.checkName(model.name, in: model.project, database)
      let isUsed = try database.value(
        Bool.self, "SELECT EXISTS (SELECT 1 FROM usedID WHERE project = ? AND id = ?)",
        [model.project, model.id])
      guard isUsed != true else {
        throw HostError(
          .conflict, "The model id \(model.id) was used before", remedy: "Send the request again")
      }
      try database.execute("INSERT INTO usedID (project, id) VALUES (?, ?)", [model.project, model.id])
      try ModelRows.insert(model, database)
      try AuditRows.insert(entry, before: nil, after: model, database)
    }
  }

  /// Loads a model, lets `body` change it, stores it with the next revision, and adds a row to the audit log.
  ///
  /// Stores nothing if `body` throws or changes nothing.
  /// - Returns: The model as stored, and the result of `body`.
  /// - Throws: `not-found` for an unknown model; `already-exists` for a taken name; any error that `body`
  ///   throws.
  @discardableResult
  package func change<Value: Sendable>(
    project: String, id: String, entry: AuditEntry,
    _ body: @escaping @Sendable (inout HostModel) throws(HostError) -> Value
  ) async throws(HostError) -> (model: HostModel, value: Value) {
    try await write { database in
      var keyed = try ModelRows.one(database, project: project, id: id)
      let old = keyed.model
      let value = try body(&keyed.model)
      guard keyed.model != old else { return (old, value) }
      if keyed.model.name != old.name { try Self.checkName(keyed.model.name, in: project, database) }
      keyed.model.revision = old.revision + 1
      keyed.model.updated = max(entry.time, old.updated)
      try ModelRows.update(keyed, from: old, database)
      try AuditRows.insert(entry, before: old, after: keyed.model, database)
      return (keyed.model, value)
    }
  }

  /// Removes a model and its versions, and stops its experiment, each with a row in the audit log.
  /// - Returns: The experiment; nil if the model has none that is active.
  /// - Throws: `not-found` for an unknown model; `precondition` if its experiment cannot be stopped.
  @discardableResult
  package func delete(project: String, id: String, entry: AuditEntry) async throws(HostError) -> Experiment? {
    try await write { database in
      let keyed = try ModelRows.one(database, project: project, id: id)
      let stopped = try Self.stopExperiment(of: keyed.model, entry, database)
      try database.execute("DELETE FROM model WHERE key = ?", [keyed.key])
      try AuditRows.insert(entry, before: keyed.model, after: nil, database)
      return stopped
    }
  }

  /// Returns the SHA-256 of every file used by a version, unless withdrawn, or by an object younger than
  /// `objectsSince`.
  package func hashesInUse(objectsSince time: Timestamp) async throws(HostError) -> Set<String> {
    try await read { database in
      try Set(
        database.values(
          String.self,
          """
          SELECT sha256 FROM version WHERE isWithdrawn = 0 AND (retired IS NULL OR retired >= ?)
          UNION SELECT sha256 FROM object WHERE created >= ?
          """, [time.milliseconds, time.milliseconds]))
    }
  }

  private static func checkName(_ name: String, in project: String, _ database: any SQLConnection) throws {
    try checkText(name)
    let isTaken = try database.value(
      Bool.self, "SELECT EXISTS (SELECT 1 FROM model WHERE project = ? AND name = ?)", [project, name])
    guard isTaken != true else {
      throw HostError(
        .alreadyExists, "Model '\(name)' already exists", remedy: "Choose another name, or update that model")
    }
  }
}
#endif
