// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The load of a hosted model: its first one is entered before it and struck out after it, so that a version that ends
/// the process is left at the third start for the version before it.
package struct FirstLoad: Sendable {
  /// The model to load: the one in use, or the one before where the one in use was left.
  package let model: InstalledModel
  private let store: ModelStore
  /// The trial that this load is a part of; nil for a version that was loaded before.
  private let process: TrialProcess?

  /// Begins to load a model.
  /// - Parameters:
  ///   - name: Its name.
  ///   - store: Where it was downloaded to.
  /// - Returns: nil where it was not downloaded.
  /// - Throws: `damagedModel`, `storeUnreadable`.
  package static func begin(_ name: String, in store: ModelStore) throws(ModelStoreError) -> FirstLoad? {
    try begin(name, in: store, by: .current)
  }

  static func begin(
    _ name: String, in store: ModelStore, by process: TrialProcess
  ) throws(ModelStoreError) -> FirstLoad? {
    guard let model = try store.installedModel(named: name) else { return nil }
    let known = Trials.read(name, store.layout)
    guard !known.loaded.contains(model.sha256) else {
      return FirstLoad(model: model, store: store, process: nil)
    }
    let entry = process.enter(model, in: store) { [layout = store.layout] in
      let trials = Trials.read(name, layout)
      if trials.isSpent(model.sha256), let before = Self.leave(model, in: store) { return before }
      // Where it cannot be kept, the version has no trial.
      try? Trials.change(name, layout) { $0.enter(model.sha256) }
      return nil
    }
    switch entry {
    case .entered: return FirstLoad(model: model, store: store, process: process)
    // It worked once; if not, its own trial begins at the next load.
    case .left(let before): return FirstLoad(model: before, store: store, process: nil)
    }
  }

  /// Leaves a version for the one before it.
  /// - Returns: nil where there is none before it.
  private static func leave(_ model: InstalledModel, in store: ModelStore) -> InstalledModel? {
    guard model.previousVersion != nil else { return nil }
    // First what keeps it from coming back; if that cannot be kept, the next download may bring it again.
    try? Trials.change(model.name, store.layout) { trials in
      trials.leave(model.sha256)
      trials.report(model.published?.version, .left)
    }
    // A version that cannot be left is loaded once more.
    return try? store.versions(of: model.name).rollBack(model.sha256, isKept: false).now
  }

  /// The model was loaded; what cannot be kept of that is found out again at the next start.
  package func succeeded() {
    guard let process else { return }
    try? Trials.change(model.name, store.layout) { trials in
      trials.strikeOut(model.sha256)
      trials.report(model.published?.version, .loaded)
    }
    process.end(model, in: store)
  }

  /// The model could not be loaded: it stays entered, as the next start may end in the same way.
  ///
  /// A report that cannot be kept is not sent.
  package func failed() {
    guard let process else { return }
    try? Trials.change(model.name, store.layout) { trials in
      trials.report(model.published?.version, .failed)
    }
    process.end(model, in: store)
  }
}
