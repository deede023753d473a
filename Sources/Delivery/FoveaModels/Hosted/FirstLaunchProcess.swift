// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// The first-launch checks of one process: any number of loads of a version count as one start.
final class FirstLaunchProcess: Sendable {
  /// The instance of this process; tests create others.
  static let current = FirstLaunchProcess()

  private struct Key: Hashable {
    let store: ModelStore
    let name: String
    let sha256: String
  }

  private struct Loads {
    var count = 0
    /// Held while this process loads, so that others do not mistake the recorded load for a crash.
    var lock: StoreLock?
  }

  private let loads = Mutex<[Key: Loads]>([:])

  /// The result of starting a load.
  enum Entry {
    case entered
    /// The version was abandoned; another one is loaded instead.
    case left(InstalledModel)
  }

  /// Starts a load.
  /// - Parameters:
  ///   - model: The version.
  ///   - store: The store of the model.
  ///   - start: Called for the first load in this process, unless another process is loading; records the
  ///     version, or abandons it and returns another.
  /// - Returns: Whether the version may be loaded, or the one to load instead.
  func enter(_ model: InstalledModel, in store: ModelStore, start: () -> InstalledModel?) -> Entry {
    let key = Key(store: store, name: model.name, sha256: model.sha256)
    return loads.withLock { loads in
      if loads[key] != nil {
        loads[key]?.count += 1
        return .entered
      }
      let path = store.layout.firstLaunchLock(model.name)
      var lock: StoreLock?
      // In a folder without locks, or a read-only one, each process counts as its own start.
      switch try? StoreLock.attempt(path) {
      case .taken(let own):
        if let other = start() { return .left(other) }
        own.share()
        lock = own
      case .held:
        // Without a shared lock, another process may mistake this load for a crash.
        if case .taken(let shared)? = try? StoreLock.attempt(path, LOCK_SH) { lock = shared }
      case .unknown, nil:
        if let other = start() { return .left(other) }
      }
      loads[key] = Loads(count: 1, lock: lock)
      return .entered
    }
  }

  /// Finishes a load; the version is not recorded again in this process.
  func end(_ model: InstalledModel, in store: ModelStore) {
    let key = Key(store: store, name: model.name, sha256: model.sha256)
    loads.withLock { loads in
      loads[key]?.count -= 1
      if loads[key]?.count == 0 { loads[key]?.lock = nil }
    }
  }
}
