// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import FoveaHTTP
import HTTPTypes
package import Hummingbird

/// Identifies the sender of a request and checks its permissions.
package struct Access: Sendable {
  package let project: String
  package let authority: Authority
  package let now: Now
  /// Reads bodies.
  let bodies: BodyWork
  /// Limits wrong keys by address; valid keys are never limited.
  private let failures = TokenBuckets(rate: 1, burst: 60)

  /// Returns the holder of the bearer token, for the project of the path.
  /// - Throws: `unauthenticated`, `forbidden`; `not-found` for a project other than this key's.
  package func admin(_ request: Request, _ context: HTTPContext, scope: Scope) async throws -> Identity {
    do throws(HostError) {
      let header = request.headers[.authorization] ?? ""
      guard header.lowercased().hasPrefix("bearer ") else {
        throw HostError(
          .unauthenticated, "The request has no bearer token",
          remedy: "Send 'Authorization: Bearer …' with a token of a key of this host")
      }
      let identity = try await authority.identity(bearer: String(header.dropFirst(7)).trimmingBlanks)
      if let named = context.parameters.get("project"), named != project { throw HostError.entityNotFound }
      try identity.require(scope, in: project)
      return identity
    } catch {
      try note(error, context)
      throw error
    }
  }

  /// Does the same for a route of the host's own, which refuses an unknown parameter of the query.
  /// - Throws: Any error of ``admin(_:_:scope:)``; `invalid` with the nearest of `names`.
  func native(
    _ request: Request, _ context: HTTPContext, scope: Scope, query names: [String] = []
  ) async throws -> Identity {
    let identity = try await admin(request, context, scope: scope)
    try request.checkQuery(names)
    return identity
  }

  /// Does the same for a route of a Google API, which also accepts the parameters of all Google APIs.
  /// - Throws: Any error of ``admin(_:_:scope:)``; `invalid` with the nearest of `names`.
  func google(
    _ request: Request, _ context: HTTPContext, scope: Scope, query names: [String] = []
  ) async throws -> Identity {
    let identity = try await admin(request, context, scope: scope)
    try request.checkQuery(names, isGoogle: true)
    return identity
  }

  /// Checks the key of a request again, since its body may have taken a while to arrive.
  /// - Throws: `unauthenticated` if it was revoked, or has expired, meanwhile.
  func recheck(_ identity: Identity) throws(HostError) { try authority.keyCheck(of: identity)() }

  /// Checks the key of an app, in the query or the header.
  ///
  /// With `takesNumber` the path may name the project by a number, as Google's clients do: the key decides.
  package func app(
    _ request: Request, _ query: RequestQuery, _ context: HTTPContext, takesNumber: Bool = false
  ) throws {
    do throws(HostError) {
      guard let key = query["key"] ?? request.headers[.xGoogAPIKey] ?? Access.basicPassword(request) else {
        throw HostError(
          .forbidden, "The request has no API key", remedy: "Add ?key=… or the header x-goog-api-key",
          cause: WireText("Method doesn't allow unregistered callers. Please use API Key."))
      }
      let found = try? authority.app(key: key)
      let isNamed =
        context.parameters.get("project").map { name in
          name == project || takesNumber && name.utf8.allSatisfy(\.isASCIIDigit)
        } ?? true
      guard found?.project == project, isNamed else {
        throw HostError(
          .invalid, "The API key does not belong to this project",
          remedy: "Use the key that \(command: "host key add app") created",
          cause: WireText("API key not valid. Please pass a valid API key."))
      }
    } catch {
      try note(error, context)
      throw error
    }
  }

  /// Runs a check of something other than a key that proves the sender, and counts a rejected request.
  /// - Throws: Any error of `check`; 429 if too many came from its address.
  func counted<Value>(_ context: HTTPContext, _ check: () throws(HostError) -> Value) throws -> Value {
    do throws(HostError) { return try check() } catch {
      try note(error, context)
      throw error
    }
  }

  /// Counts a rejected request; valid keys are accepted, regardless of what others at the same address send.
  /// - Throws: 429 if too many came from its address.
  private func note(_ error: HostError, _ context: HTTPContext) throws(Refusal) {
    guard error.code != .notFound, failures.take(of: context.network, now: seconds) != nil else { return }
    throw Refusal(
      .tooManyRequests, "rate-limited", "Too many requests with wrong keys from this address",
      remedy: "Wait a moment and use a valid key"
    ).retrying(after: 5)
  }

  private var seconds: Double { Double(now().milliseconds) / 1000 }

  private static func basicPassword(_ request: Request) -> String? {
    guard let header = request.headers[.authorization], header.lowercased().hasPrefix("basic ") else {
      return nil
    }
    return BasicCredentials.password(String(header.dropFirst(6)).trimmingBlanks)
  }
}

extension HTTPField.Name {
  static let xGoogAPIKey = HTTPField.Name(parsed: "x-goog-api-key") ?? .authorization
  static let xGoogInstallationsAuth =
    HTTPField.Name(parsed: "x-goog-firebase-installations-auth") ?? .authorization
}
#endif
