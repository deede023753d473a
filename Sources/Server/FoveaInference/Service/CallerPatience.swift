// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Reads a caller's time limit: `Fovea-Timeout-Ms`, or the limit that Envoy forwards.
struct CallerPatience: RouterMiddleware {
  typealias Context = HTTPContext

  private static let own = HTTPField.Name("Fovea-Timeout-Ms")
  /// **Source:** Envoy, "HTTP header manipulation", x-envoy-expected-rq-timeout-ms.
  private static let envoy = HTTPField.Name("x-envoy-expected-rq-timeout-ms")
  private static let longest = 3_600_000

  @concurrent
  func handle(
    _ request: Request, context: HTTPContext,
    next: @concurrent (Request, HTTPContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    context.patience = try CallerPatience.patience(request.headers)
    return try await next(request, context)
  }

  /// Returns the shorter of the two.
  /// - Throws: A refusal if the caller's own header is not a valid number of milliseconds.
  static func patience(_ headers: HTTPFields) throws(Refusal) -> Duration? {
    var milliseconds: Int?
    if let envoy, let text = headers[envoy], let value = Int(text), value > 0 { milliseconds = value }
    if let own, let text = headers[own] {
      guard let value = Int(text), (1...longest).contains(value) else {
        throw Refusal(
          .badRequest, "option-invalid",
          "The header \(own.rawName) is '\(text.prefix(40))'; it must be 1…\(longest)",
          remedy: "Give a whole number of milliseconds")
      }
      milliseconds = min(value, milliseconds ?? value)
    }
    return milliseconds.map { .milliseconds($0) }
  }
}

extension HTTPContext {
  /// Returns the server's limit, or the caller's if it is lower.
  func limit(of deadline: Duration) -> Duration { patience.map { min(deadline, $0) } ?? deadline }
}

/// The deadline of a call whose images are processed one after another.
struct CallDeadline: Sendable {
  /// The time limit of the whole call.
  let limit: Duration
  private let end: ContinuousClock.Instant

  init(_ limit: Duration, from start: ContinuousClock.Instant = .now) {
    self.limit = limit
    end = start + limit
  }

  /// Returns the remaining time.
  /// - Throws: A refusal if there is none.
  func left(at now: ContinuousClock.Instant = .now) throws(Refusal) -> Duration {
    guard now < end else { throw Scheduler.late(limit) }
    return now.duration(to: end)
  }
}
#endif
