// SPDX-License-Identifier: Apache-2.0
#if Server
/// What pages of other sites may send to a server, and read of its answers; by default what a server of images has.
package struct CrossOriginReach: Sendable {
  /// The methods, with commas between them.
  package var methods = "DELETE, GET, POST"
  /// The headers of requests besides those that any page may send.
  package var headers =
    "Accept, Authorization, Content-Type, Fovea-Timeout-Ms, Inference-Header-Content-Length, Traceparent, X-Api-Key, X-Request-Id"
  /// The headers of answers besides those that any page may read.
  package var exposed = "Retry-After, Server-Timing, Traceparent, X-Request-Id"
  /// Whether a path, which may have a query, is one of theirs; each is by default.
  package var takes: @Sendable (_ path: String) -> Bool = { _ in true }

  package init() {}
}
#endif
