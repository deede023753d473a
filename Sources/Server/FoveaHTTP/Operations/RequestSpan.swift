// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
import Hummingbird
import Tracing

/// The span of a request in the traces of a program; there is none without a tracer.
///
/// Its attributes follow OpenTelemetry's semantic conventions for HTTP, without path and query, which may
/// contain keys.
enum RequestSpan {
  /// Runs `body` inside a span, and adds the trace's headers to the answer for the caller.
  static func around(
    _ request: Request, _ context: HTTPContext,
    _ body: @concurrent () async throws -> Response
  ) async throws -> Response {
    let tracer = InstrumentationSystem.tracer
    guard !(tracer is NoOpTracer) else { return try await body() }
    var outer = InstrumentationContext.current ?? .topLevel
    tracer.extract(request.headers, into: &outer, using: FieldCarrier())
    let span = startSpan(request.method.rawValue, context: outer, ofKind: .server)
    defer { span.end() }
    span.attributes["http.request.method"] = request.method.rawValue
    do {
      var response = try await InstrumentationContext.$current.withValue(span.context) { try await body() }
      if let route = context.endpointPath {
        span.operationName = "\(request.method.rawValue) \(route)"
        span.attributes["http.route"] = route
      }
      span.attributes["http.response.status_code"] = Int(response.status.code)
      tracer.inject(span.context, into: &response.headers, using: FieldCarrier())
      return response
    } catch {
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error))
      throw error
    }
  }
}

/// Reads and writes the trace headers for tracers.
private struct FieldCarrier: Extractor, Injector {
  func extract(key: String, from fields: HTTPFields) -> String? {
    HTTPField.Name(key).flatMap { fields[$0] }
  }

  func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
    guard let name = HTTPField.Name(key) else { return }
    fields[name] = value
  }
}
#endif
