// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A load of a hosted model.
///
/// A version's first load is recorded before it starts and cleared when it succeeds, so that a version that
/// crashes the process twice is replaced by the previous one.
package struct FirstLoad: Sendable {
  /// The model to load: the current version, or the previous one if the current one was abandoned.
  package let model: InstalledModel
  private let store: ModelStore
  /// The first-launch check of this load; nil for a version that was loaded before.
  private let process: FirstLaunchProcess?

  /// Starts to load a model.
  /// - Parameters:
  ///   - name: The model's name.
  ///   - store: The store of the model.
  /// - Returns: nil if it was not downloaded.
  /// - Throws: `damagedModel`, `storeUnreadable`.
  package static func begin(_ name: String, in store: ModelStore) throws(ModelStoreError) -> FirstLoad? {
    try begin(name, in: store, by: .current)
  }

  static func begin(
    _ name: String, in store: ModelStore, by process: FirstLaunchProcess
  ) throws(ModelStoreError) -> FirstLoad? {
    guard let model = try store.installedModel(named: name) else { return nil }
    let known = FirstLaunchRecord.read(name, store.layout)
    guard !known.loaded.contains(model.sha256) else {
      return FirstLoad(model: model, store: store, process: nil)
    }
    let entry = process.enter(model, in: store) { [layout = store.layout] in
      let record = FirstLaunchRecord.read(name, layout)
      if record.isSpent(model.sha256), let before = Self.leave(model, in: store) { return before }
      // If this cannot be written, the version has no first-launch check.
      try? FirstLaunchRecord.change(name, layout) { $0.enter(model.sha256) }
      return nil
    }
    switch entry {
    case .entered: return FirstLoad(model: model, store: store, process: process)
    // It has worked once; if not, its own first-launch check starts at the next load.
    case .left(let before): return FirstLoad(model: before, store: store, process: nil)
    }
  }

  /// Abandons a version for the previous one.
  /// - Returns: nil if there is no previous one.
  private static func leave(_ model: InstalledModel, in store: ModelStore) -> InstalledModel? {
    guard model.previousVersion != nil else { return nil }
    // First mark it as abandoned; if that cannot be written, the next download may install it again.
    try? FirstLaunchRecord.change(model.name, store.layout) { record in
      record.leave(model.sha256)
      record.report(model.published?.version, .left)
    }
    // A version that cannot be abandoned is loaded once more.
    return try? store.versions(of: model.name).rollBack(model.sha256, isKept: false).now
  }

  /// Records that the model was loaded; if that cannot be written, the next start checks again.
  package func succeeded() {
    guard let process else { return }
    try? FirstLaunchRecord.change(model.name, store.layout) { record in
      record.strikeOut(model.sha256)
      record.report(model.published?.version, .loaded)
    }
    process.end(model, in: store)
  }

  /// Records that the model could not be loaded; its first load stays recorded, as the next start may fail
  /// again.
  ///
  /// A report that cannot be written is not sent.
  package func failed() {
    guard let process else { return }
    try? FirstLaunchRecord.change(model.name, store.layout) { record in
      record.report(model.published?.version, .failed)
    }
    process.end(model, in: store)
  }
}
