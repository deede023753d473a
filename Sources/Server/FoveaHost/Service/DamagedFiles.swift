// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Published files that differ from what was published: truncated, changed, missing or unreadable on the
/// disk.
package final class DamagedFiles: Sendable {
  /// The kind of damage.
  package enum Fault: String, Sendable {
    case missing
    case size
    case content
    /// The disk has the file, but returns an error instead of its bytes.
    case unreadable

    /// True if only reading the file shows whether it was repaired.
    var needsReading: Bool { self == .content || self == .unreadable }
  }

  private struct State {
    var faults: [String: Fault] = [:]
    var found: @Sendable (_ sha256: String, _ fault: Fault) -> Void = { _, _ in }
  }

  private let state = Mutex(State())

  package init() {}

  /// Calls `found` for each file when its damage is first seen.
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

  /// Clears a file that was written again or found intact.
  package func clear(_ sha256: String) { state.withLock { _ = $0.faults.removeValue(forKey: sha256) } }

  /// The known damaged files.
  package var all: [String: Fault] { state.withLock { $0.faults } }

  static func error(_ sha256: String, _ fault: Fault) -> HostError {
    let what =
      switch fault {
      case .missing: "is missing on the host's disk"
      case .size: "differs in size from the published one"
      case .content: "differs in content from the published one"
      case .unreadable: "cannot be read from the host's disk"
      }
    return HostError(
      .damaged, "The file \(sha256.prefix(12))… \(what)",
      remedy:
        "Publish it again, or restore the host from its backup; \(command: "host fsck") lists such files")
  }
}
#endif
