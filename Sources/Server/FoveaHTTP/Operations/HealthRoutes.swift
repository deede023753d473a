// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
package import Hummingbird

/// The purpose for which a caller asks whether a server is ready.
package enum ReadinessUse: String, Sendable, CaseIterable {
  /// To read existing data; nothing is written.
  case read
  case write
}

/// The routes for liveness, readiness and metrics.
package struct HealthRoutes: Sendable {
  private let metrics: Metrics
  private let drain: DrainState
  private let problem: @Sendable (ReadinessUse) async -> Refusal?

  /// Creates the routes; `problem` returns the reason the server is not ready, or nil.
  package init(
    metrics: Metrics, drain: DrainState,
    problem: @escaping @Sendable () async -> Refusal? = { nil }
  ) {
    self.init(metrics: metrics, drain: drain, problemOf: { _ in await problem() })
  }

  /// Creates the routes of a server that may be ready for reading only: `/readyz?for=read`.
  package init(
    metrics: Metrics, drain: DrainState,
    problemOf problem: @escaping @Sendable (ReadinessUse) async -> Refusal?
  ) {
    self.metrics = metrics
    self.drain = drain
    self.problem = problem
  }

  /// Adds the routes; readiness is served under each of some names.
  package func add(to router: Router<HTTPContext>, readiness names: [String] = ["readyz"]) {
    // Answering is enough: '/readyz' checks the server's work. Checked here, one caller's work could get the
    // server killed.
    router.get("livez") { _, _ in HealthRoutes.text("ok\n") }
    for name in names { router.get(RouterPath(name)) { request, _ in try await readiness(request) } }
    router.get("metrics") { _, _ in
      HealthRoutes.text(metrics.text(), type: "text/plain; version=0.0.4; charset=utf-8")
    }
  }

  private func readiness(_ request: Request) async throws -> Response {
    let text = try RequestQuery(of: request)["for"] ?? ReadinessUse.write.rawValue
    guard let use = ReadinessUse(rawValue: text) else {
      throw Refusal(
        .badRequest, "option-invalid", "'for' is '\(text.prefix(40))'; it must be read or write",
        remedy: "Use one of them, or omit it for both")
    }
    guard !drain.isDraining else {
      throw Refusal(
        .serviceUnavailable, "draining", "The server is shutting down", remedy: "Use another server, or wait"
      )
      .retrying(after: 5)
    }
    if let problem = await problem(use) { throw problem }
    return HealthRoutes.text("ok\n")
  }

  private static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> Response {
    let buffer = ByteBuffer(string: text)
    return Response(
      status: .ok, headers: [.contentType: type, .contentLength: String(buffer.readableBytes)],
      body: ResponseBody(byteBuffer: buffer))
  }
}
#endif
