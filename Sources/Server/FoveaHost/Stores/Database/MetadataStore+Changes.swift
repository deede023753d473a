// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
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
///
/// A newer program may have written rows that this one cannot decode. Each part is decoded by itself, so that
/// they do not keep others from being used, and no key from being revoked.
struct StoredChanges: Sendable {
  /// The keys of the host that can be decoded.
  var keys: [HostKey]
  /// The error of the first other key; nil if there is none.
  var keyFault: HostError?
  /// The models whose revisions differ, and the ids of all models.
  var models: Result<(changed: [HostModel], ids: Set<String>), HostError>
  /// The templates in force whose numbers differ.
  var configs: Result<[StoredConfig], HostError>
  /// The experiments whose revisions differ, in the order of creation.
  var experiments: Result<[Experiment], HostError>
}

extension MetadataStore {
  /// Returns what differs from a known state, in one transaction: other nodes wait for this one to read it
  /// after each change.
  /// - Parameters:
  ///   - project: The project.
  ///   - known: The known state.
  /// - Returns: The differences.
  /// - Throws: Any error of the database, but not of rows that cannot be decoded.
  func changes(of project: String, besides known: KnownState) async throws(HostError) -> StoredChanges {
    try await read { database in
      let (keys, fault) = try Self.readableKeys(database)
      return StoredChanges(
        keys: keys, keyFault: fault,
        models: try HostError.decoding("a model") {
          try ModelRows.changed(database, project: project, besides: known.models)
        },
        configs: try HostError.decoding("a template") {
          try Self.configs(database, project: project, besides: known.configs)
        },
        experiments: try HostError.decoding("an experiment") {
          try ExperimentRows.changed(database, project: project, besides: known.experiments)
        })
    }
  }
}

extension HostError {
  /// Decodes rows of one kind.
  /// - Parameters:
  ///   - kind: The kind with its article: `a model`.
  ///   - body: Reads and decodes them.
  /// - Returns: The result of `body`; `unavailable` if a row cannot be decoded.
  /// - Throws: Any error of the database itself.
  static func decoding<Value>(_ kind: String, _ body: () throws -> Value) throws -> Result<Value, HostError> {
    do { return .success(try body()) } catch {
      switch error {
      case is DatabaseError, is PostgresError, is SystemError, is CancellationError: throw error
      default:
        return .failure(
          HostError(
            .unavailable, "The database has \(kind) that this host cannot read",
            remedy:
              "If another node is newer, update this one to its version; otherwise run "
              + "\(command: "host fsck")", cause: error))
      }
    }
  }
}
#endif
