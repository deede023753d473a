// SPDX-License-Identifier: Apache-2.0
#if Server
/// The requests that pages of other sites may send, and the answers they may read; the defaults are those of
/// an inference server.
package struct CrossOriginReach: Sendable {
  /// The methods, separated by commas.
  package var methods = "DELETE, GET, POST"
  /// The request headers besides those that any page may send.
  package var headers =
    "Accept, Authorization, Content-Type, Fovea-Timeout-Ms, Inference-Header-Content-Length, "
    + "Traceparent, X-Api-Key, X-Request-Id"
  /// The answer headers besides those that any page may read.
  package var exposed = "Retry-After, Server-Timing, Traceparent, X-Request-Id"
  /// Returns whether a path, possibly with a query, is open to them; all are by default.
  package var takes: @Sendable (_ path: String) -> Bool = { _ in true }

  package init() {}
}
#endif
