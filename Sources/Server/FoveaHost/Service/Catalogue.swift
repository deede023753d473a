// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// All models in memory, so that devices are answered without the database.
///
/// Each commit replaces the entry of its model; entries take effect in the order of their revisions,
/// regardless of the order in which tasks run, and not after the removal of their model.
package final class Catalogue: Sendable {
  private struct State {
    var models: [String: HostModel] = [:]
    /// Ids by project and display name.
    var ids: [String: String] = [:]
    /// The number of living versions that use a file, and its size.
    var files: [String: (count: Int, size: Int64)] = [:]
    /// The number of removals so far.
    var removals = 0
    /// The latest removals, by the keys of models.
    var removed: [String: Int] = [:]
  }

  /// The models of a project at one moment.
  struct Known: Sendable {
    /// Their revisions, by their ids.
    let revisions: [String: Int64]
    /// The number of removals before.
    fileprivate let removals: Int
  }

  /// The number of latest removals that are remembered: a state that was read before one of them is entered
  /// moments later.
  private static let mostRemoved = 1_000

  private let state = Mutex(State())

  package init() {}

  /// Replaces all entries.
  package func replace(_ models: [HostModel]) {
    state.withLock { state in
      state = State()
      for model in models { Catalogue.enter(model, &state) }
    }
  }

  /// Adds or replaces a model after a commit; a revision older than the current one is ignored, and so is one
  /// of a model that was removed.
  package func enter(_ model: HostModel) { enter(model, after: nil) }

  /// Adds or replaces a model that was read from the database; ignored if the model was removed since.
  /// - Parameters:
  ///   - model: The model.
  ///   - known: The models before it was read.
  func enter(_ model: HostModel, readAfter known: Known) { enter(model, after: known.removals) }

  private func enter(_ model: HostModel, after removals: Int?) {
    state.withLock { state in
      let key = Catalogue.key(model.project, model.id)
      if let removal = state.removed[key] {
        guard let removals, removal <= removals else { return }
        // Restored, by a database that has lost the removal.
        state.removed[key] = nil
      }
      if let present = state.models[key] {
        guard present.revision <= model.revision else { return }
        Catalogue.leave(present, &state)
      }
      Catalogue.enter(model, &state)
    }
  }

  /// Removes a model; its former states are ignored from now on, because ids are never used again.
  package func remove(project: String, id: String) {
    state.withLock { state in
      let key = Catalogue.key(project, id)
      state.removals += 1
      state.removed[key] = state.removals
      if state.removed.count > Catalogue.mostRemoved {
        let oldest = state.removals - Catalogue.mostRemoved
        state.removed = state.removed.filter { $0.value > oldest }
      }
      guard let model = state.models[key] else { return }
      Catalogue.leave(model, &state)
    }
  }

  /// Returns the model with that id or display name; an id takes precedence.
  package func model(project: String, named name: String) -> HostModel? {
    state.withLock { state in
      if let model = state.models[Catalogue.key(project, name)] { return model }
      return state.ids[Catalogue.key(project, name)].flatMap { state.models[Catalogue.key(project, $0)] }
    }
  }

  /// Returns the models of a project in the order of their ids.
  package func models(project: String) -> [HostModel] {
    state.withLock { $0.models.values.filter { $0.project == project } }.sorted { $0.id < $1.id }
  }

  /// Returns the models of a project, before others are read.
  func known(project: String) -> Known {
    state.withLock { state in
      let revisions = state.models.values.reduce(into: [String: Int64]()) { revisions, model in
        if model.project == project { revisions[model.id] = model.revision }
      }
      return Known(revisions: revisions, removals: state.removals)
    }
  }

  /// Returns whether a version that is not withdrawn uses the file.
  package func serves(_ sha256: String) -> Bool { state.withLock { $0.files[sha256] != nil } }

  /// Returns the size of a file used by a version that is not withdrawn; nil if there is none.
  package func size(of sha256: String) -> Int64? { state.withLock { $0.files[sha256]?.size } }

  /// Every file used by a version that is not withdrawn, with its size.
  package var served: [String: Int64] { state.withLock { $0.files.mapValues { $0.size } } }

  /// The numbers of models and versions.
  package var counts: (models: Int, versions: Int) {
    state.withLock { state in (state.models.count, state.models.values.reduce(0) { $0 + $1.versions.count })
    }
  }

  private static func key(_ project: String, _ name: String) -> String { project + "/" + name }

  private static func enter(_ model: HostModel, _ state: inout State) {
    state.models[key(model.project, model.id)] = model
    state.ids[key(model.project, model.name)] = model.id
    for version in model.versions where !version.isWithdrawn {
      state.files[version.sha256, default: (0, version.size)].count += 1
    }
  }

  private static func leave(_ model: HostModel, _ state: inout State) {
    state.models[key(model.project, model.id)] = nil
    // Another model may have the name by now.
    let name = key(model.project, model.name)
    if state.ids[name] == model.id { state.ids[name] = nil }
    for version in model.versions where !version.isWithdrawn {
      let count = (state.files[version.sha256]?.count ?? 1) - 1
      state.files[version.sha256] = count > 0 ? (count, version.size) : nil
    }
  }
}
#endif
