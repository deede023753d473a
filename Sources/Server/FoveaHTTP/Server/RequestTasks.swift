// SPDX-License-Identifier: Apache-2.0
#if Server
import Hummingbird

/// Answers each request in its own task, whose stack is freed when it ends.
///
/// Swift's tasks keep the largest stack they ever needed, and a connection's task lives as long as the
/// connection: 18 KiB for an idle one, after a single request.
struct RequestTasks<Base: HTTPResponder>: HTTPResponder where Base.Context == HTTPContext {
  let base: Base

  func respond(to request: Request, context: HTTPContext) async throws -> Response {
    async let response = base.respond(to: request, context: context)
    return try await response
  }
}
#endif
