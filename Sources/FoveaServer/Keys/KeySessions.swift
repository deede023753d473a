// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import Synchronization

  /// The sessions of browsers: a cookie names one, in place of the key that it was begun with.
  ///
  /// They are in memory alone, and end with the server, with their key, or when the browser gives them up.
  final class KeySessions: Sendable {
    private struct Session {
      /// The digest of its key.
      let key: String
      let end: Double
    }

    /// How long one lasts, in seconds.
    static let seconds = 30 * 24 * 3_600
    /// The most of one key; the oldest makes room.
    private static let most = 100

    /// By the digest of the number, so that the time of a search says nothing about it.
    private let sessions = Mutex<[String: Session]>([:])

    /// Begins a session.
    /// - Parameters:
    ///   - key: The digest of its key.
    ///   - now: The moment, in seconds of a steady clock.
    /// - Returns: What the cookie has: a number that no one can guess.
    func begin(with key: String, now: Double) -> String {
      let id = Hexadecimal.encode(Secret.bytes(32))
      sessions.withLock { sessions in
        let own = sessions.filter { $0.value.key == key }
        if own.count >= KeySessions.most, let oldest = own.min(by: { $0.value.end < $1.value.end }) {
          sessions[oldest.key] = nil
        }
        sessions[KeySessions.digest(id)] = Session(key: key, end: now + Double(KeySessions.seconds))
      }
      return id
    }

    /// The digest of the key of a session; nil where there is none of that number.
    func key(of id: String, now: Double) -> String? {
      let digest = KeySessions.digest(id)
      return sessions.withLock { sessions in
        guard let session = sessions[digest] else { return nil }
        if session.end > now { return session.key }
        sessions[digest] = nil
        return nil
      }
    }

    func end(_ id: String) { sessions.withLock { $0[KeySessions.digest(id)] = nil } }

    /// Ends those whose keys are not among some.
    func keep(_ keys: some Collection<String>) {
      let keys = Set(keys)
      sessions.withLock { sessions in sessions = sessions.filter { keys.contains($0.value.key) } }
    }

    private static func digest(_ id: String) -> String { SHA256.hexadecimal(of: Array(id.utf8).span) }
  }
#endif
