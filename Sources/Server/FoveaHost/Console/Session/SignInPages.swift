// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The pages for signing in with a key, and out.
struct SignInPages: Sendable {
  let frame: PageFrame
  private let failures = TokenBuckets(rate: 0.2, burst: 10)

  init(frame: PageFrame) { self.frame = frame }

  private static let longestKey = 16 << 10

  func add(to router: Router<HTTPContext>) {
    router.get("console/sign-in") { request, _ in
      let token = try RequestQuery(of: request)["token"]
      return try page(token: token, problem: nil)
    }
    router.post("console/sign-in", use: signIn)
    frame.post("console/sign-out", router) { call in
      frame.redirect("/console/sign-in", cookie: frame.tokens.end(call.request))
    }
  }

  @Sendable private func signIn(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let form = String(decoding: try await request.bytes(upTo: Self.longestKey), as: UTF8.self)
    let key = try RequestQuery(form)["key"] ?? ""
    do throws(HostError) {
      let identity = try await frame.tokens.identity(key: key)
      return frame.redirect("/console/models", cookie: frame.tokens.begin(identity))
    } catch {
      // A valid key is accepted, however many wrong ones came from the address.
      guard failures.take(of: context.network, now: Double(frame.tokens.now().milliseconds) / 1000) == nil
      else {
        let problem = HostError(
          .unauthenticated, "Too many invalid keys from this address",
          remedy: "Wait a minute, and try again")
        return try page(token: nil, problem: problem, status: .tooManyRequests)
      }
      return try page(token: nil, problem: error, status: .forbidden)
    }
  }

  private func page(
    token: String?, problem: HostError?, status: HTTPResponse.Status = .ok
  ) throws(HostError) -> Response {
    var page = Page(template: "sign-in", title: "Sign in", status: status)
    if let token, token.hasPrefix("eyJ"), token.utf8.count <= Self.longestKey { page.values["token"] = token }
    if let problem {
      page.values["problem"] = Page.sentences(problem.message, problem.remedy.description)
    }
    return try frame.answer(page, session: nil, section: nil)
  }
}
#endif
