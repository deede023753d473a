// SPDX-License-Identifier: Apache-2.0
#if Server
package import Hummingbird
import HTTPTypes

/// Answers browsers that ask which requests a page of another site may send, and lets the page read its
/// answers.
package struct CrossOriginAnswers: RouterMiddleware {
  package typealias Context = HTTPContext

  private let origins: AllowedOrigins

  package init(_ origins: AllowedOrigins) { self.origins = origins }

  @concurrent
  package func handle(
    _ request: Request, context: HTTPContext,
    next: @concurrent (Request, HTTPContext) async throws -> Response
  ) async throws -> Response {
    var response =
      origins.isPreflight(request.head) ? Response(status: .noContent) : try await next(request, context)
    response.headers.append(contentsOf: origins.fields(for: request.head))
    return response
  }
}
#endif
