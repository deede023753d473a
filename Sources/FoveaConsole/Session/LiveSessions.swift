// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaHost
  internal import Synchronization

  /// The sessions that are open, and the links that have been used.
  ///
  /// They are in memory alone: a host that starts again knows none, and people sign in again.
  final class LiveSessions: Sendable {
    /// A session that is open.
    struct Session: Sendable, Equatable {
      /// The id of the key that it was begun with.
      let key: String
      /// Random; forms of the session are sealed with it, and it is not what the cookie has.
      let number: String
      let expires: Timestamp
    }

    private struct State {
      var sessions: [String: Session] = [:]
      /// Ids of links, and when their tokens end.
      var links: [String: Timestamp] = [:]
    }

    /// The most sessions at once; beyond, the one that ends first gives its place up.
    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int = 1_000) { self.limit = limit }

    /// Opens a session.
    /// - Returns: The text that names it, which no one can guess.
    func open(key: String, until expires: Timestamp, now: Timestamp) -> String {
      let id = Hexadecimal.encode(Secret.bytes(32))
      let session = Session(key: key, number: Hexadecimal.encode(Secret.bytes(16)), expires: expires)
      state.withLock { state in
        state.sessions = state.sessions.filter { now < $0.value.expires }
        if state.sessions.count >= limit,
          let first = state.sessions.min(by: { $0.value.expires < $1.value.expires })
        {
          state.sessions[first.key] = nil
        }
        state.sessions[id] = session
      }
      return id
    }

    /// The open session of that name; nil where there is none.
    func session(_ id: String, now: Timestamp) -> Session? {
      state.withLock { $0.sessions[id] }.flatMap { now < $0.expires ? $0 : nil }
    }

    /// Ends a session: its name is worth nothing from now on.
    func close(_ id: String) { state.withLock { $0.sessions[id] = nil } }

    /// Notes that a link is used.
    /// - Returns: Whether it is the first time.
    func use(link id: String, until expires: Timestamp, now: Timestamp) -> Bool {
      state.withLock { state in
        state.links = state.links.filter { now < $0.value }
        return state.links.updateValue(expires, forKey: id) == nil
      }
    }
  }
#endif
