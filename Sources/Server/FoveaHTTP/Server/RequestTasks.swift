// SPDX-License-Identifier: Apache-2.0
#if Server
import Hummingbird

/// Answers each request in a task of its own, which takes its stack along when it ends.
///
/// Swift's tasks keep the most stack that they ever needed, and that of a connection lasts as long as the connection: 18 KiB
/// for one that is idle, after a single request.
struct RequestTasks<Base: HTTPResponder>: HTTPResponder where Base.Context == HTTPContext {
  let base: Base

  func respond(to request: Request, context: HTTPContext) async throws -> Response {
    async let response = base.respond(to: request, context: context)
    return try await response
  }
}
#endif
