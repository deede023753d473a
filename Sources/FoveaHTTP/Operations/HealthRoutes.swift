// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import HTTPTypes
  package import Hummingbird

  /// Whether the process lives, whether it should get requests, and what it counts.
  package struct HealthRoutes: Sendable {
    private let metrics: Metrics
    private let drain: DrainState
    private let isAlive: @Sendable () -> Bool
    private let problem: @Sendable () async -> Refusal?

    /// Makes the routes; `problem` is why the server should get no requests, nil while it should, and only a restart helps
    /// one that is not alive.
    package init(
      metrics: Metrics, drain: DrainState, isAlive: @escaping @Sendable () -> Bool = { true },
      problem: @escaping @Sendable () async -> Refusal? = { nil }
    ) {
      self.metrics = metrics
      self.drain = drain
      self.isAlive = isAlive
      self.problem = problem
    }

    /// Adds them; readiness answers under each of some names.
    package func add(to router: Router<HTTPContext>, readiness names: [String] = ["readyz"]) {
      router.get("livez") { _, _ in
        guard isAlive() else {
          throw Refusal(
            .serviceUnavailable, "stuck", "Work that has begun does not end", remedy: "Restart the server")
        }
        return HealthRoutes.text("ok\n")
      }
      for name in names { router.get(RouterPath(name)) { _, _ in try await readiness() } }
      router.get("metrics") { _, _ in
        HealthRoutes.text(metrics.text(), type: "text/plain; version=0.0.4; charset=utf-8")
      }
    }

    private func readiness() async throws -> Response {
      guard !drain.isDraining else {
        throw Refusal(.serviceUnavailable, "draining", "The server is ending", remedy: "Use another, or wait")
          .retrying(after: 5)
      }
      if let problem = await problem() { throw problem }
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
