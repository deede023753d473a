// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import Synchronization

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
      var begun: [String: Timestamp] = [:]
      var ended: [String: End] = [:]
      /// Names in `ended`, the oldest first.
      var order: [String] = []
    }

    private static let most = 1000
    private let state = Mutex(State())

    /// Counts an upload.
    /// - Throws: `unavailable` where there are a thousand already.
    func begin(_ name: String, now: Timestamp) throws(HostError) {
      let isAdded = state.withLock { state in
        if state.begun.count >= UploadSessions.most {
          state.begun = state.begun.filter { now < $0.value.advanced(seconds: UploadSession.lifetime) }
        }
        guard state.begun.count < UploadSessions.most else { return false }
        state.begun[name] = now
        return true
      }
      guard isAdded else {
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

    subscript(name: String) -> End? { state.withLock { $0.ended[name] } }
  }
#endif
