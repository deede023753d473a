// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// The number of bytes of each file sent to devices.
///
/// Counts bytes, not answers, so that a download in several parts is one. Counts are kept in memory and
/// written every few seconds, like those of ``LoadService``.
package final class DownloadCounts: Sendable {
  private struct State {
    var bytes: [String: Int64] = [:]
    /// The counts not written yet.
    var new: [String: Int64] = [:]
  }

  private let project: String
  private let store: MetadataStore
  private let state = Mutex(State())

  init(project: String, store: MetadataStore) {
    self.project = project
    self.store = store
  }

  /// Reads the counts that were written, by any host.
  func start() async throws(HostError) {
    let bytes = try await store.sentBytes(project: project)
    state.withLock { state in state.bytes = bytes.merging(state.new, uniquingKeysWith: +) }
  }

  /// Counts bytes of a file that were handed to a connection.
  func add(_ bytes: Int, of sha256: String) {
    state.withLock { state in
      state.bytes[sha256, default: 0] += Int64(bytes)
      state.new[sha256, default: 0] += Int64(bytes)
    }
  }

  /// Returns the number of times that a file of a size was sent, adding up its parts.
  package func count(of sha256: String, size: Int64) -> Int {
    let bytes = state.withLock { $0.bytes[sha256] ?? 0 }
    return size > 0 ? Int(bytes / size) : 0
  }

  /// Writes new counts; those that cannot be written are kept for the next time.
  func write() async throws(HostError) {
    let new = state.withLock { state in
      defer { state.new = [:] }
      return state.new
    }
    guard !new.isEmpty else { return }
    do throws(HostError) { try await store.addSentBytes(project: project, new) } catch {
      state.withLock { state in
        for (sha256, bytes) in new { state.new[sha256, default: 0] += bytes }
      }
      throw error
    }
  }
}
#endif
