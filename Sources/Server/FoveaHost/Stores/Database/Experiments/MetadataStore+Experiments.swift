// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Returns every experiment of a project, in the order of creation.
  package func experiments(project: String) async throws(HostError) -> [Experiment] {
    try await read { try ExperimentRows.all($0, project: project) }
  }

  /// Adds the experiment that `body` makes from all others and the model, and a row to the audit log.
  ///
  /// Stores nothing if `body` throws.
  /// - Parameters:
  ///   - project: The project.
  ///   - id: The id of the model; nil for none.
  ///   - entry: The row, whose model and states are filled in.
  ///   - body: May change the model, which is stored with the experiment.
  /// - Returns: The experiment and the model as stored.
  /// - Throws: Any error that `body` throws.
  package func addExperiment(
    project: String, model id: String?, entry: AuditEntry,
    _ body: @escaping @Sendable ([Experiment], inout HostModel?) throws(HostError) -> Experiment
  ) async throws(HostError) -> ExperimentChange {
    try await write { database in
      var keyed = try id.map { try ModelRows.one(database, project: project, id: $0) }
      let old = keyed?.model
      var model = old
      let experiment = try body(ExperimentRows.all(database, project: project), &model)
      try ExperimentRows.insert(experiment, database)
      try Self.store(model, &keyed, entry, database)
      try Self.log((nil, old), (experiment, keyed?.model), entry, database)
      return ExperimentChange(experiment: experiment, model: keyed?.model)
    }
  }

  /// Changes an experiment, and its model with it, and adds a row to the audit log; stores nothing if `body`
  /// throws or changes nothing.
  /// - Parameters:
  ///   - project: The project.
  ///   - id: The id of the experiment.
  ///   - entry: The row, whose states are filled in.
  ///   - body: Gets every experiment of the project, too, this one as it was before.
  /// - Returns: The experiment and the model as stored.
  /// - Throws: `not-found` for an unknown experiment; any error that `body` throws.
  package func changeExperiment(
    project: String, id: String, entry: AuditEntry,
    _ body:
      @escaping @Sendable (inout Experiment, _ all: [Experiment], inout HostModel?) throws(HostError) -> Void
  ) async throws(HostError) -> ExperimentChange {
    try await write { database in
      let (key, old) = try ExperimentRows.one(database, project: project, id: id)
      var keyed = try old.model.flatMap { id in
        do { return try ModelRows.one(database, project: project, id: id) } catch let error as HostError {
          // Older hosts deleted models whose experiments went on.
          guard error.code == .notFound else { throw error }
          return nil
        }
      }
      var experiment = old
      let oldModel = keyed?.model
      var model = oldModel
      try body(&experiment, ExperimentRows.all(database, project: project), &model)
      guard experiment != old || model != oldModel else {
        return ExperimentChange(experiment: old, model: oldModel)
      }
      experiment.revision = old.revision + 1
      experiment.updated = max(entry.time, old.updated)
      try ExperimentRows.update(experiment, key: key, database)
      try Self.store(model, &keyed, entry, database)
      try Self.log((old, oldModel), (experiment, keyed?.model), entry, database)
      return ExperimentChange(experiment: experiment, model: keyed?.model)
    }
  }

  /// Stops the active experiment of a model that is being deleted, and adds a row to the audit log.
  /// - Parameters:
  ///   - model: The model.
  ///   - entry: The row of the deletion.
  ///   - database: The database.
  /// - Returns: The experiment as stored; nil if there is none.
  /// - Throws: `precondition` if it cannot be stopped; errors of the database.
  static func stopExperiment(
    of model: HostModel, _ entry: AuditEntry, _ database: any SQLConnection
  ) throws -> Experiment? {
    guard let id = model.experiment?.id else { return nil }
    let (key, old) = try ExperimentRows.one(database, project: model.project, id: id)
    guard old.isActive else { return nil }
    var experiment = old
    try experiment.stop(at: entry.time)
    experiment.revision = old.revision + 1
    experiment.updated = max(entry.time, old.updated)
    try ExperimentRows.update(experiment, key: key, database)
    var entry = entry
    entry.action = "experiment.stop"
    try log((old, nil), (experiment, nil), entry, database)
    return experiment
  }

  /// Writes the model if it has changed, with the next revision.
  private static func store(
    _ model: HostModel?, _ keyed: inout ModelRows.Keyed?, _ entry: AuditEntry, _ database: any SQLConnection
  ) throws {
    guard var present = keyed, var model, model != present.model else { return }
    let old = present.model
    model.revision = old.revision + 1
    model.updated = max(entry.time, old.updated)
    present.model = model
    try ModelRows.update(present, from: old, database)
    keyed = present
  }

  /// Adds a row with what has changed of the experiment, and of its model: a rollout moves channels.
  private static func log(
    _ old: (Experiment?, HostModel?), _ new: (Experiment, HostModel?), _ entry: AuditEntry,
    _ database: any SQLConnection
  ) throws {
    var entry = entry
    let (before, after) = (facts(old.0, old.1), facts(new.0, new.1))
    let changed = before.filter { after[$0.key] != $0.value }
    entry.before = changed.isEmpty ? nil : try ColumnJSON.text(changed)
    entry.after = try ColumnJSON.text(after.filter { before[$0.key] != $0.value || $0.key == "experiment" })
    try AuditRows.insert(entry, database)
  }

  /// Returns the facts of an experiment with those of its model, whose `experiment` is this one.
  private static func facts(_ experiment: Experiment?, _ model: HostModel?) -> [String: String] {
    AuditRows.facts(model).filter { $0.key != "experiment" }
      .merging(ExperimentRows.facts(experiment)) { _, own in own }
  }
}
#endif
