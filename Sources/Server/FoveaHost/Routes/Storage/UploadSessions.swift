// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// How many resumable uploads were begun, and what the latest ones have become.
///
/// What is here only helps: without it, as after a restart, all uploads go on.
final class UploadSessions: Sendable {
  /// What an upload has become.
  enum End: Sendable {
    /// Its bytes are a blob that has no name yet.
    case stored(FinishedBlob)
    /// It is an object: a last piece that is sent again is answered with it.
    case named(StoredObject)
  }

  private struct State {
    var begun: [String: (key: String, time: Timestamp)] = [:]
    var ended: [String: End] = [:]
    /// Names in `ended`, the oldest first.
    var order: [String] = []
  }

  private static let most = 1000
  /// Of one key.
  private static let mostOfKey = 250
  private let state = Mutex(State())

  /// Counts an upload.
  /// - Throws: `unavailable` where there are a thousand already; `rate-limited` where a quarter of them is this key's.
  func begin(_ name: String, of key: String, now: Timestamp) throws(HostError) {
    let (all, own) = state.withLock { state -> (Int, Int) in
      func isKeys(_ entry: (key: String, value: (key: String, time: Timestamp))) -> Bool {
        entry.value.key == key
      }
      var own = state.begun.count(where: isKeys)
      if state.begun.count >= UploadSessions.most || own >= UploadSessions.mostOfKey {
        state.begun = state.begun.filter { now < $0.value.time.advanced(seconds: UploadSession.lifetime) }
        own = state.begun.count(where: isKeys)
      }
      guard state.begun.count < UploadSessions.most, own < UploadSessions.mostOfKey else {
        return (state.begun.count, own)
      }
      state.begun[name] = (key, now)
      return (0, 0)
    }
    if own >= UploadSessions.mostOfKey {
      throw HostError(
        .rateLimited, "\(own) uploads of this key are under way, which is the most",
        remedy: "Finish some, or try again later")
    }
    if all >= UploadSessions.most {
      throw HostError(
        .unavailable, "There are 1,000 uploads under way", remedy: "Finish some, or try again later")
    }
  }

  func end(_ name: String, _ end: End) {
    state.withLock { state in
      state.begun[name] = nil
      if state.ended.updateValue(end, forKey: name) == nil { state.order.append(name) }
      if state.order.count > UploadSessions.most { state.ended[state.order.removeFirst()] = nil }
    }
  }

  /// Counts an upload no more that was removed.
  func remove(_ name: String) { state.withLock { $0.begun[name] = nil } }

  subscript(name: String) -> End? { state.withLock { $0.ended[name] } }
}
#endif
