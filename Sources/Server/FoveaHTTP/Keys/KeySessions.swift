// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// The sessions of browsers: a cookie names one, in place of the key that it was begun with.
///
/// They are in memory alone, and end with the server, with their time, with their key, or when the browser gives them up. Each
/// key has a share, so that no one who signs in again and again takes others' sessions away.
package final class KeySessions: Sendable {
  package struct Session: Sendable, Equatable {
    /// What names the key that it was begun with.
    package let key: String
    /// Random, and not what the cookie has: forms are sealed with it.
    package let number: String
    /// In seconds of the server's clock.
    fileprivate let end: Double
  }

  /// How long one lasts, in seconds.
  private let seconds: Int
  private let mostOfKey: Int
  private let most: Int
  /// By the digest of the id, so that the time of a search says nothing about it.
  private let sessions = Mutex<[String: Session]>([:])

  /// - Parameters:
  ///   - seconds: How long one lasts.
  ///   - mostOfKey: The most of one key; its oldest makes room.
  ///   - most: The most of all; the oldest of the key that has the most makes room.
  package init(seconds: Int, mostOfKey: Int = 100, most: Int = .max) {
    self.seconds = seconds
    self.mostOfKey = mostOfKey
    self.most = most
  }

  /// Begins a session.
  /// - Parameters:
  ///   - key: What names its key.
  ///   - now: The moment, in seconds of the server's clock.
  /// - Returns: What the cookie has: a number that no one can guess.
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

  /// The session that makes room for another one of a key; nil where there is room.
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

  /// The session of that id; nil where there is none that goes on.
  package func session(_ id: String, now: Double) -> Session? {
    let digest = KeySessions.digest(id)
    return sessions.withLock { sessions in
      guard let session = sessions[digest] else { return nil }
      if now < session.end { return session }
      sessions[digest] = nil
      return nil
    }
  }

  /// Ends a session: its id is worth nothing from now on.
  package func end(_ id: String) { sessions.withLock { $0[KeySessions.digest(id)] = nil } }

  /// Ends those whose keys are not among some.
  package func keep(_ keys: some Collection<String>) {
    let keys = Set(keys)
    sessions.withLock { sessions in sessions = sessions.filter { keys.contains($0.value.key) } }
  }

  private static func digest(_ id: String) -> String { SHA256.hexadecimal(of: Array(id.utf8).span) }
}
#endif
