// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Answers a person who opens an address that the console does not have, or sends a form to it, with a page.
///
/// All other requests without a route get their refusal as JSON.
struct UnknownPages: RouterMiddleware {
  typealias Context = HTTPContext

  let frame: PageFrame
  /// Returns the refusal of a request without a route.
  let refusal: @Sendable (Request) -> Refusal

  @concurrent
  func handle(
    _ request: Request, context: HTTPContext,
    next: @concurrent (Request, HTTPContext) async throws -> Response
  ) async throws -> Response {
    do { return try await next(request, context) } catch let error as HTTPError {
      guard error.status == .notFound, [.get, .head, .post].contains(request.method),
        request.uri.path.hasPrefix("/console/")
      else { throw error }
    }
    guard let session = frame.tokens.session(of: request) else { return frame.redirect("/console/sign-in") }
    var refusal = refusal(request)
    refusal.message =
      refusal.status != .methodNotAllowed
      ? "The console has no such page"
      : request.method == .post
        ? "This address is a page, and accepts no form" : "This address accepts only the form of a page"
    refusal.remedy = "Use the navigation"
    return try frame.answer(
      refusal, session: session, back: PageFrame.back(from: request.uri.path, isForm: true))
  }
}
#endif
