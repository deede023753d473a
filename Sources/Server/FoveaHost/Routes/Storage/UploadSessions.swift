// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// The number of started resumable uploads, and the results of the latest ones.
///
/// This is only an aid: without it, for example after a restart, all uploads continue.
final class UploadSessions: Sendable {
  /// The result of an upload.
  enum End: Sendable {
    /// Its bytes are a blob without a name.
    case stored(FinishedBlob)
    /// The object that the upload became: a repeated last piece is answered with it.
    case named(UploadedObject)
  }

  private struct State {
    var begun: [String: (key: String, time: Timestamp)] = [:]
    var ended: [String: End] = [:]
    /// Names in `ended`, the oldest first.
    var order: [String] = []
  }

  private static let most = 1000
  /// The maximum for one key.
  private static let mostOfKey = 250
  private let state = Mutex(State())

  /// Counts an upload.
  /// - Throws: `unavailable` if there are already a thousand; `rate-limited` if this key has a quarter of
  ///   them.
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
        .rateLimited, "\(own) uploads of this key are in progress, the maximum",
        remedy: "Finish some, or try again later")
    }
    if all >= UploadSessions.most {
      throw HostError(
        .unavailable, "1,000 uploads are in progress, the maximum", remedy: "Finish some, or try again later")
    }
  }

  func end(_ name: String, _ end: End) {
    state.withLock { state in
      state.begun[name] = nil
      if state.ended.updateValue(end, forKey: name) == nil { state.order.append(name) }
      if state.order.count > UploadSessions.most { state.ended[state.order.removeFirst()] = nil }
    }
  }

  /// Stops counting a removed upload.
  func remove(_ name: String) { state.withLock { $0.begun[name] = nil } }

  /// Stops counting the uploads of a key.
  /// - Returns: Their names.
  func removeAll(of key: String) -> [String] {
    state.withLock { state in
      let names = state.begun.filter { $0.value.key == key }.map(\.key)
      for name in names { state.begun[name] = nil }
      return names
    }
  }

  subscript(name: String) -> End? { state.withLock { $0.ended[name] } }
}
#endif
