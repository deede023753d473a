// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// Experiments as rows.
enum ExperimentRows {
  static func all(_ database: any SQLConnection, project: String) throws -> [Experiment] {
    try database.values(
      String.self, "SELECT state FROM experiment WHERE project = ? ORDER BY key", [project]
    ).map { try ColumnJSON.value($0) }
  }

  /// - Throws: `not-found`; errors of SQLite.
  static func one(
    _ database: any SQLConnection, project: String, id: String
  ) throws -> (key: Int64, experiment: Experiment) {
    let row = try database.row(
      "SELECT key, state FROM experiment WHERE project = ? AND id = ?", [project, id])
    guard let row else { throw HostError.unknownExperiment(id) }
    return (
      try row.decode(forColumn: "key"),
      try ColumnJSON.value(try row.decode(String.self, forColumn: "state"))
    )
  }

  /// Returns the experiments of a project whose revisions are not these, in the order of creation.
  static func changed(
    _ database: any SQLConnection, project: String, besides known: [String: Int64]
  ) throws -> [Experiment] {
    let rows = try database.rows(
      "SELECT id, revision FROM experiment WHERE project = ? ORDER BY key", [project])
    return try rows.compactMap { row in
      let id: String = try row.decode(forColumn: "id")
      guard try row.decode(Int64.self, forColumn: "revision") != known[id] else { return nil }
      return try one(database, project: project, id: id).experiment
    }
  }

  static func insert(_ experiment: Experiment, _ database: any SQLConnection) throws {
    try database.execute(
      """
      INSERT INTO experiment (project, id, model, created, updated, revision, state)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        experiment.project, experiment.id, experiment.model, experiment.created.milliseconds,
        experiment.updated.milliseconds, experiment.revision, try ColumnJSON.text(experiment),
      ])
  }

  static func update(_ experiment: Experiment, key: Int64, _ database: any SQLConnection) throws {
    try database.execute(
      "UPDATE experiment SET updated = ?, revision = ?, state = ? WHERE key = ?",
      [
        experiment.updated.milliseconds, experiment.revision, try ColumnJSON.text(experiment), key,
      ])
  }

  /// Returns everything a change can affect, as short strings.
  static func facts(_ experiment: Experiment?) -> [String: String] {
    guard let experiment else { return [:] }
    var facts = ["experiment": experiment.id, "state": experiment.state.rawValue]
    if let row = experiment.rows.last {
      facts["weights"] = row.weights.map(String.init).joined(separator: ":")
    }
    if let winner = experiment.winner { facts["winner"] = winner }
    if !experiment.overrides.isEmpty { facts["test devices"] = String(experiment.overrides.count) }
    return facts
  }
}

extension HostError {
  static func unknownExperiment(_ id: String) -> HostError {
    HostError(
      .notFound, "There is no experiment \(HostName.shown(id))",
      remedy: "Check its id in the list of experiments", cause: WireText.entityNotFound)
  }
}
#endif
