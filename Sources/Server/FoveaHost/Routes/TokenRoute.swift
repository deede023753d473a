// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The exchange of a signed assertion for an access token (RFC 7523).
struct TokenRoute: Sendable {
  let authority: Authority
  let now: Now
  private let failures = TokenBuckets(rate: 1, burst: 60)

  func add(to router: Router<HTTPContext>) { router.post("token", use: exchange) }

  @Sendable private func exchange(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let form = String(decoding: try await request.bytes(upTo: 16 << 10), as: UTF8.self)
    do throws(HostError) {
      let grant = try await authority.exchange(form: form)
      return .json(headers: [.cacheControl: "no-store"]) { json in
        json.member("access_token", grant.token)
        json.member("expires_in", grant.expiresIn)
        json.member("token_type", "Bearer")
      }
    } catch {
      // Counts only invalid assertions, so that others at the same address are accepted.
      guard failures.take(of: context.network, now: Double(now().milliseconds) / 1000) == nil else {
        throw Refusal(
          .tooManyRequests, "rate-limited", "Too many invalid assertions", remedy: "Wait a moment"
        ).retrying(after: 5)
      }
      var refusal = error.refusal
      refusal.status = .badRequest
      throw refusal
    }
  }
}

extension ErrorShape {
  /// `{"error": "invalid_grant", "error_description": "…"}`, as RFC 6749 section 5.2.
  static let oauth = ErrorShape(knowsFewStatuses: false) { refusal, json in
    json.member("error", refusal.status.code >= 500 ? "server_error" : "invalid_grant")
    json.member("error_description", refusal.sentences)
  }
}
#endif
