// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Published and uploaded files that differ from what was sent: truncated, changed, missing or unreadable on
/// the disk.
package final class DamagedFiles: Sendable {
  /// The kind of damage.
  package enum Fault: String, Sendable {
    case missing
    /// A link, a folder or a pipe has its name.
    case replaced
    case size
    case content
    /// The disk has the file, but returns an error instead of its bytes.
    case unreadable

    /// True if a scrub reads the file again even if nothing has written to it since.
    var needsReading: Bool { self == .content || self == .unreadable }
  }

  /// The use of a file when its damage was seen.
  package enum Use: String, Sendable {
    /// A version of a model has the file.
    case published
    /// Only an object of a bucket has it.
    case uploaded
  }

  private struct State {
    var faults: [String: Fault] = [:]
    var uses: [String: Use] = [:]
    /// The marks of the files whose bytes were read last, after their damage was seen.
    var read: [String: FileMark] = [:]
    var found: Found = { _, _, _ in }

    mutating func clear(_ sha256: String) {
      faults[sha256] = nil
      uses[sha256] = nil
      read[sha256] = nil
    }
  }

  /// A mark that changes when something writes to a file, or another file gets its name.
  struct FileMark: Sendable, Equatable {
    let identity: FileStatus.Identity
    let size: Int
    let modified: Int

    /// Nil for a blob without an open file.
    init?(_ blob: any Blob) {
      guard let status = blob.descriptor.flatMap({ FileStatus(descriptor: $0) }) else { return nil }
      (identity, size, modified) = (status.identity, status.size, status.modified)
    }
  }

  package typealias Found = @Sendable (_ sha256: String, _ fault: Fault, _ use: Use) -> Void

  private let state = Mutex(State())

  package init() {}

  /// Calls `found` for each file when its damage is first seen.
  package func whenFound(_ found: @escaping Found) {
    state.withLock { $0.found = found }
  }

  package func enter(_ sha256: String, _ fault: Fault, _ use: Use = .published) {
    let found = state.withLock { state -> Found? in
      state.uses[sha256] = use
      guard state.faults.updateValue(fault, forKey: sha256) == nil else { return nil }
      return state.found
    }
    found?(sha256, fault, use)
  }

  /// Clears a file that was written again or found intact.
  package func clear(_ sha256: String) {
    state.withLock { $0.clear(sha256) }
  }

  /// Returns whether a damaged file has to be read by the caller: something has written to it since it was
  /// read last.
  func beginsReading(_ sha256: String, _ mark: FileMark) -> Bool {
    state.withLock { $0.read.updateValue(mark, forKey: sha256) != mark }
  }

  /// Clears the uploads that no object has any more.
  func clearUploads(except used: Set<String>) {
    state.withLock { state in
      for (sha256, use) in state.uses where use == .uploaded && !used.contains(sha256) {
        state.clear(sha256)
      }
    }
  }

  /// Returns the use of a damaged file; nil for a file that is not known to be damaged.
  func use(of sha256: String) -> Use? { state.withLock { $0.uses[sha256] } }

  /// The known damaged files.
  package var all: [String: Fault] { state.withLock { $0.faults } }

  /// Returns the error of a request for a damaged file; `successor` is what has its name, if it is known.
  static func error(
    _ sha256: String, _ fault: Fault, _ use: Use, successor: BlobFault? = nil
  ) -> HostError {
    let what =
      switch fault {
      case .missing: "is missing on the host's disk"
      case .replaced: "is \(successor?.rawValue ?? "something else") on the host's disk"
      case .size: "differs in size from the \(use.rawValue) one"
      case .content: "differs in content from the \(use.rawValue) one"
      case .unreadable: "cannot be read from the host's disk"
      }
    let message = "The file \(sha256.prefix(12))… \(what)"
    return switch use {
    case .published:
      HostError(
        .damaged, message,
        remedy:
          "Publish it again with a channel of its own (\(flag: "channel") repair), so that devices keep"
          + " their versions, or restore the host from its backup; \(command: "host fsck") lists such files")
    case .uploaded:
      HostError(.damaged, message, remedy: "Upload it again, and check the host's disk")
    }
  }
}
#endif
