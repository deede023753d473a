// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// The state of a project in the memory of a node, by which the node finds what others have changed.
struct KnownState: Sendable {
  /// The revisions of models, by their ids.
  var models: [String: Int64] = [:]
  /// The numbers of the templates in force.
  var configs: [ConfigNamespace: Int] = [:]
  /// The revisions of experiments, by their ids.
  var experiments: [String: Int64] = [:]
}

/// The differences of the database from the memory of a node, as of one moment.
struct StoredChanges: Sendable {
  /// All keys of the host.
  var keys: [HostKey]
  /// The models whose revisions differ, and the ids of all models.
  var models: (changed: [HostModel], ids: Set<String>)
  /// The templates in force whose numbers differ.
  var configs: [StoredConfig]
  /// The experiments whose revisions differ, in the order of creation.
  var experiments: [Experiment]
}

extension MetadataStore {
  /// Returns what differs from a known state, in one transaction: other nodes wait for this one to read it
  /// after each change.
  /// - Parameters:
  ///   - project: The project.
  ///   - known: The known state.
  /// - Returns: The differences.
  /// - Throws: Any error of the database.
  func changes(of project: String, besides known: KnownState) async throws(HostError) -> StoredChanges {
    try await read { database in
      StoredChanges(
        keys: try Self.keys(database),
        models: try ModelRows.changed(database, project: project, besides: known.models),
        configs: try Self.configs(database, project: project, besides: known.configs),
        experiments: try ExperimentRows.changed(database, project: project, besides: known.experiments))
    }
  }
}
#endif
