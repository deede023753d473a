// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// The sessions of browsers: a cookie identifies a session, instead of the key that started it.
///
/// They exist only in memory, and end with the server, with their time or key, or when the browser signs out.
/// Each key has a share, so that repeated sign-ins cannot evict others' sessions.
package final class KeySessions: Sendable {
  package struct Session: Sendable, Equatable {
    /// The identifier of the key that started the session.
    package let key: String
    /// A random number, different from the cookie's: forms are sealed with it.
    package let number: String
    /// The end, in seconds of the server's clock.
    fileprivate let end: Double
  }

  /// The duration of a session, in seconds.
  private let seconds: Int
  private let mostOfKey: Int
  private let most: Int
  /// The sessions by the digest of their id, so that the lookup time reveals nothing about it.
  private let sessions = Mutex<[String: Session]>([:])

  /// - Parameters:
  ///   - seconds: The duration of a session.
  ///   - mostOfKey: The maximum number of sessions of one key; its oldest is replaced.
  ///   - most: The maximum number of sessions of all keys; the oldest of the key with the most is replaced.
  package init(seconds: Int, mostOfKey: Int = 100, most: Int = .max) {
    self.seconds = seconds
    self.mostOfKey = mostOfKey
    self.most = most
  }

  /// Starts a session.
  /// - Parameters:
  ///   - key: The key's identifier.
  ///   - now: The time, in seconds of the server's clock.
  /// - Returns: The cookie's value, a number that cannot be guessed.
  package func begin(with key: String, now: Double) -> String {
    let id = Hexadecimal.encode(Secret.bytes(32))
    let session = Session(key: key, number: Hexadecimal.encode(Secret.bytes(16)), end: now + Double(seconds))
    sessions.withLock { sessions in
      sessions = sessions.filter { now < $0.value.end }
      if let gone = last(of: sessions, for: key) { sessions[gone] = nil }
      sessions[KeySessions.digest(id)] = session
    }
    return id
  }

  /// Returns the session that a new session of a key replaces; nil if there is room.
  private func last(of sessions: [String: Session], for key: String) -> String? {
    let own = sessions.filter { $0.value.key == key }
    guard own.count < mostOfKey else { return own.min { $0.value.end < $1.value.end }?.key }
    guard sessions.count >= most else { return nil }
    let counts = sessions.values.reduce(into: [String: Int]()) { counts, session in
      counts[session.key, default: 0] += 1
    }
    return sessions.min { first, second in
      let (one, other) = (counts[first.value.key] ?? 0, counts[second.value.key] ?? 0)
      return one == other ? first.value.end < second.value.end : one > other
    }?.key
  }

  /// Returns the session with an id; nil if there is none or it has expired.
  package func session(_ id: String, now: Double) -> Session? {
    let digest = KeySessions.digest(id)
    return sessions.withLock { sessions in
      guard let session = sessions[digest] else { return nil }
      if now < session.end { return session }
      sessions[digest] = nil
      return nil
    }
  }

  /// Closes a session: its id is invalid from now on.
  package func end(_ id: String) { sessions.withLock { $0[KeySessions.digest(id)] = nil } }

  /// Closes the sessions whose keys are not in a list.
  package func keep(_ keys: some Collection<String>) {
    let keys = Set(keys)
    sessions.withLock { sessions in sessions = sessions.filter { keys.contains($0.value.key) } }
  }

  private static func digest(_ id: String) -> String { SHA256.hexadecimal(of: Array(id.utf8).span) }
}
#endif
