// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// What one process has on trial: any number of loads of a version are one start.
final class TrialProcess: Sendable {
  /// That of this process; tests have others.
  static let current = TrialProcess()

  private struct Key: Hashable {
    let store: ModelStore
    let name: String
    let sha256: String
  }

  private struct Loads {
    var count = 0
    /// Held while this process loads: a version that others find entered has not ended it.
    var lock: StoreLock?
  }

  private let loads = Mutex<[Key: Loads]>([:])

  /// How a load begins.
  enum Entry {
    case entered
    /// The version was left for another one.
    case left(InstalledModel)
  }

  /// Begins a load.
  /// - Parameters:
  ///   - model: The version.
  ///   - store: Where it is.
  ///   - start: Called where this is the first load in this process and no other process is in the middle of one; enters
  ///     the version, or leaves it and returns another.
  /// - Returns: Whether it may be loaded.
  func enter(_ model: InstalledModel, in store: ModelStore, start: () -> InstalledModel?) -> Entry {
    let key = Key(store: store, name: model.name, sha256: model.sha256)
    return loads.withLock { loads in
      if loads[key] != nil {
        loads[key]?.count += 1
        return .entered
      }
      let path = store.layout.trialLock(model.name)
      var lock: StoreLock?
      // In a folder without locks, or one that may only be read, each process counts as a start of its own.
      switch try? StoreLock.attempt(path) {
      case .taken(let own):
        if let other = start() { return .left(other) }
        own.share()
        lock = own
      case .held:
        // Without a share of it, another process may take this load for one that has ended its process.
        if case .taken(let shared)? = try? StoreLock.attempt(path, LOCK_SH) { lock = shared }
      case .unknown, nil:
        if let other = start() { return .left(other) }
      }
      loads[key] = Loads(count: 1, lock: lock)
      return .entered
    }
  }

  /// Ends a load; what was entered in this process is not entered again.
  func end(_ model: InstalledModel, in store: ModelStore) {
    let key = Key(store: store, name: model.name, sha256: model.sha256)
    loads.withLock { loads in
      loads[key]?.count -= 1
      if loads[key]?.count == 0 { loads[key]?.lock = nil }
    }
  }
}
