// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaHTTP
import FoveaInference
import FoveaTesting
import InMemoryTracing
import Testing
import Tracing

@Suite struct TraceTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let parent = "00-\(trace)-00f067aa0ba902b7-01"

  @Test(arguments: [
    (parent, true), ("00-\(trace)-00f067aa0ba902b7-00", true),
    ("cc-\(trace)-00f067aa0ba902b7-01-more", true),
    (nil, false), ("", false), ("00", false), ("00-\(trace)-00f067aa0ba902b7", false),
    ("00-\(trace)-00f067aa0ba902b7-01-more", false), ("ff-\(trace)-00f067aa0ba902b7-01", false),
    ("00-\(trace.uppercased())-00f067aa0ba902b7-01", false),
    ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
    ("00-\(trace)-0000000000000000-01", false), ("00-\(trace)x-00f067aa0ba902b7-01", false),
    ("00-\(trace)-00f067aa0ba902b7-1", false),
  ])
  func `a trace header is read as in W3C's standard`(text: String?, isRight: Bool) {
    #expect((TraceParent(text) != nil) == isRight)
  }

  @Test(arguments: [
    (0, "0000000000000001"), (1, "0000000000000001"), (255, "00000000000000ff"), (.max, "ffffffffffffffff"),
  ])
  func `a span id has sixteen digits`(number: UInt64, digits: String) throws {
    let child = try #require(TraceParent(Self.parent)).child(number)
    #expect(child.text == "00-\(Self.trace)-\(digits)-01")
  }

  @Test func `a response continues the trace of its request`() async throws {
    try await RunningInference.run([.embedded]) { server in
      let answer = try server.send("GET", "/livez", headers: ["traceparent": Self.parent])
      let step = try #require(TraceParent(answer.headers["traceparent"]))
      #expect(step.trace == Self.trace && step.span != "00f067aa0ba902b7" && step.flags == "01")
      for text in [nil, "nonsense"] as [String?] {
        let headers = text.map { ["traceparent": $0] } ?? [:]
        #expect(try server.send("GET", "/livez", headers: headers).headers["traceparent"] == nil)
      }
      let missing = try server.send("GET", "/no", headers: ["traceparent": Self.parent])
      #expect(missing.status == 404 && TraceParent(missing.headers["traceparent"])?.trace == Self.trace)
    }
  }

  @Test func `the program's tracer gets a span for each request and stage`() async throws {
    let tracer = InMemoryTracer()
    let photo = try RunningInference.bytes()
    try await withTracer(tracer) {
      try await RunningInference.run([.embedded]) { server in
        let answer = try server.send("POST", "/v1/detect?name=secret", photo)
        #expect(answer.status == 200)
        #expect(try server.send("GET", "/v1/models/no").status == 404)
      }
    }
    let spans = tracer.finishedSpans
    let request = try #require(spans.first { $0.operationName == "POST /v1/detect" })
    #expect(request.attributes["http.response.status_code"]?.toSpanAttribute() == 200)
    #expect(request.attributes["http.route"]?.toSpanAttribute() == "/v1/detect")
    let stages = spans.filter { $0.parentSpanID == request.spanID }
    #expect(stages.map(\.operationName) == ["queue", "decode", "prepare", "run"])
    let times = stages.map { ($0.startInstant.nanosecondsSinceEpoch, $0.endInstant.nanosecondsSinceEpoch) }
    #expect(times.allSatisfy { $0.0 <= $0.1 })
    #expect(zip(times, times.dropFirst()).allSatisfy { $0.0.1 == $0.1.0 })
    #expect(spans.allSatisfy { !"\($0.attributes)".contains("secret") })
    #expect(spans.count(where: { $0.errors.count == 1 }) == 1)
  }
}
#endif
