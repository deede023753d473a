// SPDX-License-Identifier: Apache-2.0
#if Server
  package import FoveaErrors
  package import FoveaHTTP
  internal import FoveaSystem
  package import HTTPTypes
  internal import Synchronization

  /// Decides by its key whether a request may go on, before its body is read.
  ///
  /// A secret comes as a bearer token, in `x-api-key`, where a protocol has its own place, or in the cookie of the page.
  /// Wrong secrets of one address are answered ten times, then one in a second.
  package final class AccessGuard: Sendable {
    private struct State {
      var keys: [String: AccessKey]
      var files: FileState?
      var buckets: [String: TokenBuckets]
    }

    private let path: String
    private let state: Mutex<State>
    private let wrong = TokenBuckets(rate: 1, burst: 10)
    private static let start = ContinuousClock.now

    /// Reads the keys.
    /// - Throws: `keys-invalid`.
    package init(path: String) throws(FoveaError) {
      self.path = path
      state = Mutex(AccessGuard.state(try AccessKeyFile(path), FileState(path)))
    }

    /// Reads the keys again where their file is another one.
    /// - Returns: Whether it was.
    /// - Throws: `keys-invalid`, once for each state of the file; the keys before stay.
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

    /// Why a request is refused; nil where it may go on.
    ///
    /// A request whose protocol has its key in the body goes on without one; its route calls ``check(_:scope:peer:)``.
    package func refusal(of head: HTTPRequest, peer: String) -> Refusal? {
      guard let scope = AccessGuard.scope(head) else { return nil }
      let secret = AccessGuard.secret(head)
      if secret == nil, AccessGuard.hasKeyInBody(head) { return nil }
      do throws(Refusal) { try check(secret, scope: scope, peer: peer) } catch { return error }
      return nil
    }

    /// Checks a secret, and takes one of its requests.
    /// - Throws: 401 without a key or with a wrong one, 403 for one that may not do this, 429 above its rate.
    package func check(_ secret: String?, scope: AccessKey.Scope, peer: String) throws(Refusal) {
      let now = (ContinuousClock.now - AccessGuard.start).seconds
      let (key, bucket) = try key(of: secret, peer: peer, now: now)
      guard key.scopes.contains(scope) else {
        throw Refusal(
          .forbidden, "scope-missing", "The key '\(key.name)' lacks the scope '\(scope.rawValue)'",
          remedy: "Use a key that has it")
      }
      if let wait = bucket?.take(of: key.name, now: now) {
        throw Refusal(
          .tooManyRequests, "rate-limited", "The key '\(key.name)' is above its rate",
          remedy: "Send fewer requests in a second"
        ).retrying(after: max(1, Int(wait.rounded(.up))))
      }
    }

    /// Checks that a secret is that of a key, whatever the key may do.
    /// - Throws: 401 without a key or with a wrong one, 429 after too many wrong ones.
    package func check(_ secret: String?, peer: String) throws(Refusal) {
      _ = try key(of: secret, peer: peer, now: (ContinuousClock.now - AccessGuard.start).seconds)
    }

    private func key(
      of secret: String?, peer: String, now: Double
    ) throws(Refusal) -> (AccessKey, TokenBuckets?) {
      guard let secret else { throw AccessGuard.notAuthorized("The request has no key") }
      if wrong.isEmpty(of: peer, now: now) {
        throw Refusal(
          .tooManyRequests, "rate-limited", "This address has sent too many wrong keys",
          remedy: "Send the right one"
        ).retrying(after: 1)
      }
      // Of digests, so that the time of the search says nothing about a secret.
      let digest = SHA256.hexadecimal(of: Array(secret.utf8).span)
      let found = state.withLock { state in
        state.keys[digest].map { ($0, state.buckets[$0.name]) }
      }
      guard let found else {
        _ = wrong.take(of: peer, now: now)
        throw AccessGuard.notAuthorized("The server does not have this key")
      }
      return found
    }

    /// The name of the key that a request's head has; nil where it has none, or one that the server does not know.
    func name(of head: HTTPRequest) -> String? {
      guard let secret = AccessGuard.secret(head) else { return nil }
      let digest = SHA256.hexadecimal(of: Array(secret.utf8).span)
      return state.withLock { $0.keys[digest]?.name }
    }

    /// Whether the head of a request has a secret.
    static func hasKey(_ head: HTTPRequest) -> Bool { secret(head) != nil }

    private static func notAuthorized(_ message: String) -> Refusal {
      var refusal = Refusal(
        .unauthorized, "not-authorized", message, remedy: "Send a key as 'Authorization: Bearer KEY'")
      refusal.headers[.wwwAuthenticate] = "Bearer"
      return refusal
    }

    /// Whether a request needs a slot once its body is there.
    static func sendsImages(_ head: HTTPRequest) -> Bool {
      guard head.method == .post, scope(head) == .infer else { return false }
      let path = path(head)
      return !path.hasPrefix("/model/") && !path.hasSuffix("/index") && !path.hasSuffix("/list")
    }

    /// What a route needs; nil where anyone may ask.
    private static func scope(_ head: HTTPRequest) -> AccessKey.Scope? {
      let path = path(head)
      switch path {
      case "/livez", "/readyz", "/health", "/", "/openapi.json", "/v1/session": return nil
      case "/metrics": return .metrics
      case "/v1/live": return .live
      default: break
      }
      if path.hasPrefix("/assets/") { return nil }
      if path.hasPrefix("/v1/streams") { return .streams }
      let actions =
        path.hasPrefix("/v2/repository/models/") ? ["/load", "/unload"] : [":load", ":unload", ":rollback"]
      return head.method == .post && actions.contains(where: path.hasSuffix) ? .models : .infer
    }

    /// DeepStack's clients send their key as a field of the form, Roboflow's as a member of the JSON.
    private static func hasKeyInBody(_ head: HTTPRequest) -> Bool {
      let path = path(head)
      guard head.method == .post, path != "/v1/vision/custom/list" else { return false }
      return ["/v1/vision/", "/infer/", "/model/"].contains(where: path.hasPrefix)
    }

    private static func path(_ head: HTTPRequest) -> Substring { (head.path ?? "").prefix { $0 != "?" } }

    private static func secret(_ head: HTTPRequest) -> String? {
      if let header = head.headerFields[.authorization], header.lowercased().hasPrefix("bearer ") {
        return String(header.dropFirst(7))
      }
      for name in keyHeaders { if let value = head.headerFields[name] { return value } }
      let query = (head.path ?? "").drop { $0 != "?" }.dropFirst()
      if let query = try? RequestQuery(String(query)), let value = query["key", "api_key"] { return value }
      return RequestCookie.value(cookieName, of: head.headerFields)
    }

    private static let keyHeaders = ["x-api-key", "x-goog-api-key", "doods-auth-key"].compactMap {
      HTTPField.Name($0)
    }

    /// The cookie that has the key of the page.
    static let cookieName = "fovea-key"
  }
#endif
