// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// The uploads of one store: those that are being written, and the checksums of those that can be resumed.
///
/// Without the sums, each part of an upload would have to read all earlier bytes again.
final class UploadRegister: Sendable {
  private struct State {
    var active: Set<String> = []
    var waiting: [String: BlobSums] = [:]
    /// Names in `waiting`, the oldest first.
    var order: [String] = []
  }

  private static let longestMemory = 256
  private let state = Mutex(State())

  /// Acquires an upload for one writer.
  /// - Returns: The stored sums; nil if the file must be read again.
  /// - Throws: `conflict` if another writer owns it.
  func take(_ name: String) throws(HostError) -> BlobSums? {
    let (isFree, sums) = state.withLock { state in
      guard state.active.insert(name).inserted else { return (false, BlobSums?.none) }
      state.order.removeAll { $0 == name }
      return (true, state.waiting.removeValue(forKey: name))
    }
    guard isFree else {
      throw HostError(
        .conflict, "Another request is writing this upload",
        remedy: "Wait until it ends, then query the offset")
    }
    return sums
  }

  /// Releases an upload.
  /// - Parameters:
  ///   - name: The name of the upload.
  ///   - sums: Nil if it has ended or must be read again.
  func giveBack(_ name: String, _ sums: BlobSums?) {
    state.withLock { state in
      state.active.remove(name)
      guard let sums else { return }
      state.waiting[name] = sums
      state.order.append(name)
      if state.order.count > Self.longestMemory { state.waiting[state.order.removeFirst()] = nil }
    }
  }
}
#endif
