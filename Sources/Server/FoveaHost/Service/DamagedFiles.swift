// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Published files that are not what was published: cut off, changed or gone from the disk.
package final class DamagedFiles: Sendable {
  /// What is wrong with a file.
  package enum Fault: String, Sendable {
    case missing
    case size
    case content
  }

  private struct State {
    var faults: [String: Fault] = [:]
    var found: @Sendable (_ sha256: String, _ fault: Fault) -> Void = { _, _ in }
  }

  private let state = Mutex(State())

  package init() {}

  /// Calls `found` with each file when its fault is first seen.
  package func whenFound(_ found: @escaping @Sendable (_ sha256: String, _ fault: Fault) -> Void) {
    state.withLock { $0.found = found }
  }

  package func enter(_ sha256: String, _ fault: Fault) {
    let found = state.withLock { state -> (@Sendable (String, Fault) -> Void)? in
      guard state.faults.updateValue(fault, forKey: sha256) == nil else { return nil }
      return state.found
    }
    found?(sha256, fault)
  }

  /// The file was written again, or found to be whole.
  package func clear(_ sha256: String) { state.withLock { _ = $0.faults.removeValue(forKey: sha256) } }

  /// Those that are known.
  package var all: [String: Fault] { state.withLock { $0.faults } }

  static func error(_ sha256: String, _ fault: Fault) -> HostError {
    let what =
      switch fault {
      case .missing: "is gone from the host's disk"
      case .size: "has another size than it was published with"
      case .content: "has other bytes than it was published with"
      }
    return HostError(
      .damaged, "The file \(sha256.prefix(12))… \(what)",
      remedy:
        "Publish it again, or restore the host from its backup; \(command: "host fsck") lists such files")
  }
}
#endif
