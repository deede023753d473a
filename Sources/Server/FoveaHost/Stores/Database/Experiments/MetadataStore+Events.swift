// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Counts events, each id once.
  package func count(_ batch: EventBatch) async throws(HostError) -> EventTally {
    guard !(batch.entries.isEmpty && batch.refusals.isEmpty) else { return EventTally() }
    return try await write { database in
      var counting = EventCounting(batch, database)
      return try counting.run()
    }
  }

  /// Returns the counts of an experiment.
  package func sums(project: String, experiment id: String) async throws(HostError) -> ExperimentSums {
    try await read { database in
      let key = try ExperimentRows.one(database, project: project, id: id).key
      var sums = ExperimentSums()
      sums.days = try database.rows(
        "SELECT * FROM experimentSum WHERE experiment = ? ORDER BY period, day, variant", [key]
      ).map { row in
        ExperimentSums.Day(
          period: try row.decode(forColumn: "period"), day: try row.decode(forColumn: "day"),
          variant: try row.decode(forColumn: "variant"), units: try row.decode(forColumn: "units"),
          sum: try row.decode(forColumn: "sum"), squares: try row.decode(forColumn: "squares"))
      }
      for row in try database.rows("SELECT reason, count FROM experimentRefusal WHERE experiment = ?", [key])
      {
        sums.refusals[try row.decode(forColumn: "reason")] = try row.decode(Int.self, forColumn: "count")
      }
      return sums
    }
  }

  /// Removes data that events can no longer change.
  ///
  /// These are ids and waiting values from before a generation, and the units of experiments that ended long
  /// ago. Their sums are kept.
  /// - Parameters:
  ///   - project: The project.
  ///   - generation: The first generation to keep.
  ///   - experiments: The experiments that ended long ago.
  ///   - leadership: The right of the node to do so; nil for the only host of the database.
  /// - Throws: `conflict` if another node leads now.
  package func tidyEvents(
    project: String, before generation: Int, ended experiments: [String], by leadership: Leadership? = nil
  ) async throws(HostError) {
    // Most hours have nothing to remove, and a write that changes nothing is still a write.
    let isDue = try await read { database in
      try database.value(
        Bool.self,
        """
        SELECT EXISTS (SELECT 1 FROM countedEvent WHERE generation < ?)
          OR EXISTS (SELECT 1 FROM waitingValue WHERE generation < ?)
        """, [generation, generation])
    }
    // In batches, so that other calls do not wait long for the database.
    while isDue == true,
      try await removed(
        """
        DELETE FROM countedEvent WHERE (generation, id) IN
          (SELECT generation, id FROM countedEvent WHERE generation < ? LIMIT 20000)
        """, [generation], leadership) > 0
    {}
    while isDue == true,
      try await removed(
        """
        DELETE FROM waitingValue WHERE rowid IN
          (SELECT rowid FROM waitingValue WHERE generation < ? LIMIT 20000)
        """, [generation], leadership) > 0
    {}
    for id in experiments {
      let key = try await read { try ExperimentRows.one($0, project: project, id: id).key }
      while try await removed(
        """
        DELETE FROM experimentUnit WHERE experiment = ? AND unit IN
          (SELECT unit FROM experimentUnit WHERE experiment = ? LIMIT 20000)
        """, [key, key], leadership) > 0
      {}
    }
  }

  private func removed(
    _ sql: String, _ arguments: SQLArguments, _ leadership: Leadership?
  ) async throws(HostError) -> Int {
    try await write { database in
      try leadership?.check(database)
      return try database.execute(sql, arguments)
    }
  }
}
#endif
