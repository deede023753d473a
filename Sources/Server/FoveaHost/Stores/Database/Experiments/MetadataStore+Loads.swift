// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Returns all counts for the models of a project.
  package func loads(project: String) async throws(HostError) -> [LoadKey: LoadCount] {
    try await read { database in
      var counts: [LoadKey: LoadCount] = [:]
      for row in try database.rows("SELECT * FROM versionLoad WHERE project = ?", [project]) {
        var count = LoadCount()
        count.loaded = try row.decode(forColumn: "loaded")
        count.failed = try row.decode(forColumn: "failed")
        count.abandoned = try row.decode(forColumn: "abandoned")
        let key = LoadKey(
          model: try row.decode(forColumn: "model"), run: try row.decode(forColumn: "run"),
          share: try row.decode(forColumn: "share"), version: try row.decode(forColumn: "version"))
        counts[key] = count
      }
      return counts
    }
  }

  /// Adds new counts to the existing ones, in one transaction.
  package func addLoads(project: String, _ counts: [LoadKey: LoadCount]) async throws(HostError) {
    try await write { database in
      for (key, count) in counts {
        try database.execute(
          """
          INSERT INTO versionLoad (project, model, run, share, version, loaded, failed, abandoned)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (project, model, run, share, version) DO UPDATE SET
            loaded = versionLoad.loaded + excluded.loaded, failed = versionLoad.failed + excluded.failed,
            abandoned = versionLoad.abandoned + excluded.abandoned
          """,
          [
            project, key.model, key.run, key.share, key.version, count.loaded, count.failed,
            count.abandoned,
          ])
      }
    }
  }
}
#endif
