// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
package import FoveaHTTP
package import HTTPTypes
import Synchronization

/// Decides by the key whether a request may continue, before its body is read.
///
/// A secret is sent as a bearer token, in `x-api-key`, in the protocol's own place, or as the password of
/// Basic authentication; the page sends a session number in a cookie. Wrong keys never delay a correct one;
/// ten wrong keys from one address are answered with 401, then one per second, and the others with 429.
package final class AccessGuard: Sendable {
  private struct State {
    var keys: [String: AccessKey]
    var files: FileState?
    var buckets: [String: TokenBuckets]
  }

  private let path: String
  private let state: Mutex<State>
  private let wrong = TokenBuckets(rate: 1, burst: 10)
  private let sessions = KeySessions(seconds: AccessGuard.sessionSeconds)
  private static let start = ContinuousClock.now
  /// The duration of a page session, in seconds.
  static let sessionSeconds = 30 * 24 * 3_600

  /// Reads the keys.
  /// - Throws: `keys-invalid`.
  package init(path: String) throws(FoveaError) {
    self.path = path
    state = Mutex(AccessGuard.state(try AccessKeyFile(path), FileState(path)))
  }

  /// Reads the keys again if their file has changed.
  /// - Returns: Whether the file has changed.
  /// - Throws: `keys-invalid`, once for each state of the file; the previous keys stay in use.
  @discardableResult
  package func reload() throws(FoveaError) -> Bool {
    let files = FileState(path)
    guard files != state.withLock({ $0.files }) else { return false }
    let file: AccessKeyFile
    do throws(FoveaError) { file = try AccessKeyFile(path) } catch {
      state.withLock { $0.files = files }
      throw error
    }
    let new = AccessGuard.state(file, files)
    state.withLock { $0 = new }
    sessions.keep(new.keys.keys)
    return true
  }

  private static func state(_ file: AccessKeyFile, _ files: FileState?) -> State {
    State(
      keys: Dictionary(file.keys.map { ($0.digest, $0) }) { first, _ in first }, files: files,
      buckets: Dictionary(
        file.keys.compactMap { key in
          key.rate.map { (key.name, TokenBuckets(rate: $0, burst: max(1, $0))) }
        }
      ) { first, _ in first })
  }

  private static var now: Double { (ContinuousClock.now - start).seconds }

  /// Returns the refusal of a request; nil if it may continue.
  ///
  /// A request whose protocol has its key in the body continues without a key; its route calls
  /// ``check(_:scope:peer:)``.
  package func refusal(of head: HTTPRequest, peer: String) -> Refusal? {
    guard let scope = AccessGuard.scope(head), !AccessGuard.awaitsKey(head) else { return nil }
    do throws(Refusal) {
      if let secret = AccessGuard.secret(head) {
        _ = try check(secret, scope: scope, peer: peer)
      } else if let key = sessionKey(of: head) {
        try check(key, scope: scope)
      } else if let password = AccessGuard.password(head) {
        _ = try check(password, scope: scope, peer: peer)
      } else {
        throw AccessGuard.notAuthorized(
          AccessGuard.session(head) == nil ? "The request has no key" : "The session has ended")
      }
    } catch {
      return error.challenging(head, scope)
    }
    return nil
  }

  /// Checks a secret and counts one request against its rate.
  /// - Returns: The name of its key.
  /// - Throws: 401 without a key or with a wrong one, 403 for a key without the scope, 429 above its rate.
  @discardableResult
  package func check(_ secret: String?, scope: AccessKey.Scope, peer: String) throws(Refusal) -> String {
    let key = try key(of: secret, peer: peer)
    try check(key, scope: scope)
    return key.name
  }

  /// Starts a page session with a secret, regardless of the scopes of its key.
  /// - Returns: The session number.
  /// - Throws: 401 without a key or with a wrong one, 429 after too many wrong ones.
  package func beginSession(_ secret: String, peer: String) throws(Refusal) -> String {
    let key = try key(
      of: secret.isEmpty ? nil : secret, peer: peer,
      remedy: "Send only the key as the body, without a line end")
    return sessions.begin(with: key.digest, now: AccessGuard.now)
  }

  /// Closes a request's session.
  package func endSession(of head: HTTPRequest) {
    if let session = AccessGuard.session(head) { sessions.end(session) }
  }

  private func check(_ key: AccessKey, scope: AccessKey.Scope) throws(Refusal) {
    guard key.scopes.contains(scope) else {
      throw Refusal(
        .forbidden, "scope-missing", "The key '\(key.name)' lacks the scope '\(scope.rawValue)'",
        remedy: "Use a key with this scope")
    }
    let bucket = state.withLock { $0.buckets[key.name] }
    if let rate = key.rate, let wait = bucket?.take(of: key.name, now: AccessGuard.now) {
      throw Refusal(
        .tooManyRequests, "rate-limited",
        "The key '\(key.name)' is above its rate of \(DecimalText.short(rate, places: 3))/s",
        remedy: "Send fewer requests, or ask the operator for a key with a higher rate"
      ).retrying(after: max(1, Int(wait.rounded(.up))))
    }
  }

  private func key(
    of secret: String?, peer: String, remedy: String = AccessGuard.bearer
  ) throws(Refusal) -> AccessKey {
    guard let secret else { throw AccessGuard.notAuthorized("The request has no key", remedy) }
    if let key = known(secret) { return key }
    if let wait = wrong.take(of: NetworkName.of(peer), now: AccessGuard.now) {
      throw Refusal(
        .tooManyRequests, "rate-limited", "This address has sent too many wrong keys",
        remedy: "Send the correct key"
      ).retrying(after: max(1, Int(wait.rounded(.up))))
    }
    throw AccessGuard.notAuthorized("The server does not know this key", remedy)
  }

  /// Returns the key with a secret; nil if there is none.
  private func known(_ secret: String) -> AccessKey? {
    // Compares digests, so that the lookup's duration reveals nothing about a secret.
    let digest = SHA256.hexadecimal(of: Array(secret.utf8).span)
    return state.withLock { $0.keys[digest] }
  }

  /// Returns the key of a request's session; nil without an active session.
  private func sessionKey(of head: HTTPRequest) -> AccessKey? {
    guard let session = AccessGuard.session(head),
      let found = sessions.session(session, now: AccessGuard.now)
    else { return nil }
    return state.withLock { $0.keys[found.key] }
  }

  /// Returns the name of the key in a request's head; nil without a key or with an unknown one.
  func name(of head: HTTPRequest) -> String? {
    if let secret = AccessGuard.secret(head) { return known(secret)?.name }
    if let key = sessionKey(of: head) { return key.name }
    return AccessGuard.password(head).flatMap { known($0)?.name }
  }

  private static let bearer = "Send a key as 'Authorization: Bearer KEY'"

  private static func notAuthorized(_ message: String, _ remedy: String = bearer) -> Refusal {
    var refusal = Refusal(.unauthorized, "not-authorized", message, remedy: remedy)
    refusal.headers[.wwwAuthenticate] = "Bearer"
    return refusal
  }
}

extension Refusal {
  /// Returns the refusal; it also asks for a password if the client may be a camera viewer.
  ///
  /// The responses to scripts stay unchanged, because a browser would show its own password dialog.
  fileprivate func challenging(_ head: HTTPRequest, _ scope: AccessKey.Scope) -> Refusal {
    let mode = head.headerFields[.secFetchMode]
    guard status == .unauthorized, scope == .streams, mode == nil || mode == "navigate" else { return self }
    var refusal = self
    refusal.headers.append(HTTPField(name: .wwwAuthenticate, value: #"Basic realm="Fovea", charset="UTF-8""#))
    return refusal
  }
}
#endif
