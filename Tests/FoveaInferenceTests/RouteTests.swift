// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaTesting
import Testing

@testable import FoveaInference

@Suite struct RouteTests {
  private struct Call: Sendable {
    var method = "POST"
    let target: String
    var headers: [String: String] = [:]
    let status: Int
    /// A part of the body, in the form of the protocol.
    let text: String
    var allow: String?
  }

  private static let calls = [
    Call(target: "/v1/detct", status: 404, text: #""remedy": "Did you mean POST /v1/detect?""#),
    Call(
      target: "/v1/models/coarse:lable", status: 404, text: "Did you mean POST /v1/models/coarse:label?"),
    // Words of TF Serving and AutoML without a route are not similar to others.
    Call(target: "/v1/models/coarse:regress", status: 404, text: "List the routes with GET /openapi.json"),
    Call(target: "/v1/models/coarse:classify", status: 404, text: "List the routes with GET /openapi.json"),
    Call(target: "/v1/models/coarse:explain", status: 404, text: "List the routes with GET /openapi.json"),
    Call(target: "/", status: 405, text: "method-not-allowed", allow: "GET, HEAD"),
    Call(target: "/v1/\u{7F}x/y/z", status: 400, text: "request-malformed"),
    Call(target: "//v1/../detect", status: 404, text: "route-unknown"),
    Call(method: "GET", target: "/v1/models/%2e%2e", status: 404, text: "model-unknown"),
    Call(method: "GET", target: "/v1/models/%00", status: 404, text: "model-unknown"),
    Call(method: "PUT", target: "/v1/detect", status: 405, text: "method-not-allowed", allow: "POST"),
    Call(
      method: "PUT", target: "/v1/models/default", status: 405, text: "Use GET, HEAD", allow: "GET, HEAD"),
    Call(
      method: "FOO", target: "/v1/detect", status: 400,
      text: "The server does not know the method of the request"),
    // A route of another family is no help, and a name in braces is not a reason to suggest one.
    Call(method: "GET", target: "/v1/status/pong", status: 404, text: "Did you mean GET /v1/status/ping?"),
    Call(
      method: "GET", target: "/v1/statistics/x", status: 404, text: "List the routes with GET /openapi.json"),
    Call(method: "GET", target: "/v2/detect", status: 404, text: "List the routes with GET /openapi.json"),
    Call(method: "GET", target: "/v1", status: 404, text: "List the routes with GET /openapi.json"),
    Call(method: "GET", target: "/v3", status: 404, text: "List the routes with GET /openapi.json"),
    // A word of another API is not a name after a similar word.
    Call(
      method: "GET", target: "/v1/module/list", status: 404, text: "List the routes with GET /openapi.json"),
    Call(
      method: "GET", target: "/v1/module/install", status: 404, text: "List the routes with GET /openapi.json"
    ),
    Call(
      method: "GET", target: "/v1/stream/ping", status: 404, text: "List the routes with GET /openapi.json"),
    Call(method: "GET", target: "/v1/model/bird", status: 404, text: "Did you mean GET /v1/models/bird?"),
    Call(method: "GET", target: "/v1/stream/gate", status: 404, text: "Did you mean GET /v1/streams/gate?"),
    Call(method: "GET", target: "/v1/Models/list", status: 404, text: "Did you mean GET /v1/models/list?"),
    // The words before the name are right.
    Call(
      method: "GET", target: "/v1/models/live/metdata", status: 404,
      text: "Did you mean GET /v1/models/live/metadata?"),
    Call(
      target: "/v1/model/default:predict", status: 404,
      text: "Did you mean POST /v1/models/default:predict?"),
    Call(
      method: "GET", target: "/v1/vision/custm/list", status: 404,
      text: "/v1/vision/custom/list?"),
    Call(method: "GET", target: "/helth", status: 404, text: "Did you mean GET /health?"),
    Call(method: "GET", target: "/v1/status/ping", status: 200, text: #""success": true"#),
    Call(method: "GET", target: "/v1/server/status/ping", status: 200, text: #""success": true"#),
    Call(method: "GET", target: "/v1/status/version", status: 200, text: #""version": {"major": "#),
    Call(method: "GET", target: "/v1/status/updateavailable", status: 200, text: #""current": {"major": "#),
    Call(method: "GET", target: "/v1/vision/custom/list", status: 200, text: #""models": ["default"]"#),
    // A template that starts with a name matches everything, and is not a hint either.
    Call(method: "GET", target: "/birds/3", status: 404, text: "There is no such route"),
    Call(target: "/birds/3", status: 404, text: #"{"message": "There is no model 'birds/3'"#),
    Call(
      target: "/nothing/of/the/kind", status: 404,
      text: #""remedy": "List the routes with GET /openapi.json""#),
    Call(
      method: "PUT", target: "/v1/detect", headers: ["Content-Length": "70000"], status: 405,
      text: "Use POST", allow: "POST"),
    Call(
      method: "PUT", target: "/v1/detct", headers: ["Content-Length": "70000"], status: 404,
      text: "route-unknown"),
    Call(
      method: "DELETE", target: "/v1/session", headers: ["Content-Length": "70000"], status: 413,
      text: "request-too-large"),
    Call(target: "/v2/modles/x", status: 404, text: #"{"error": "There is no such route. Did you mean"#),
    Call(target: "/v1/vision/detction", status: 404, text: #"{"success": false, "error": "There is"#),
    Call(target: "/infer/objct_detection", status: 404, text: #"{"message": "There is no such route"#),
    Call(method: "PUT", target: "/detect", status: 405, text: #"{"error": "This route"#, allow: "POST"),
    Call(
      method: "DELETE", target: "/v1/images:annotate", status: 405, text: #""error": {"code": 405"#,
      allow: "POST"),
    Call(
      target: "/v1/models/default:predict", headers: ["Fovea-Timeout-Ms": "0"], status: 400,
      text: #"{"error": "The header Fovea-Timeout-Ms"#),
    Call(
      target: "/v1/detect", headers: ["Fovea-Timeout-Ms": "-1"], status: 400, text: "option-invalid"),
    Call(
      target: "/v1/detect", headers: ["Fovea-Timeout-Ms": "soon"], status: 400, text: "option-invalid"),
    Call(target: "/v1/detect", headers: ["Content-Length": "x"], status: 400, text: "request-malformed"),
  ]

  @Test func `an unknown route is answered with the nearest one, in its protocol's form`()
    async throws
  {
    try await RunningInference.run { server in
      for call in Self.calls {
        let answer = try server.send(call.method, call.target, headers: call.headers)
        #expect(answer.status == call.status, "\(call.method) \(call.target): \(answer.body)")
        #expect(answer.body.contains(call.text), "\(call.target): \(answer.body)")
        #expect(answer.headers["allow"] == call.allow, "\(call.target)")
        #expect(try server.send("GET", "/livez").status == 200)
      }
    }
  }

  @Test func `an error has the type that the clients of its protocol compare`() async throws {
    try await RunningInference.run([.embedded]) { server in
      for (path, type) in [
        ("/v2/models/no", "application/json"), ("/v1/models/no", "application/json; charset=utf-8"),
      ] {
        let answers = [
          try server.send("GET", path), try server.send("PUT", path),
          try server.send("PUT", path, headers: ["Content-Length": "70000"]),
        ]
        #expect(answers.map(\.status) == [404, 405, 405], "\(path)")
        #expect(answers.allSatisfy { $0.headers["content-type"] == type }, "\(path)")
      }
    }
  }

  @Test func `HEAD has the headers of GET, and a body that comes with GET is ignored`() async throws {
    try await RunningInference.run { server in
      let whole = try server.send("GET", "/v1/models")
      let head = try server.send("HEAD", "/v1/models")
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head.headers["content-length"] == whole.headers["content-length"])
      let withBody = try server.send("GET", "/v1/models", headers: ["Content-Length": "3"], [1, 2, 3])
      #expect(withBody.status == 200 && withBody.body == whole.body)
    }
  }

  @Test func `a page of another origin cannot send images, with any hint from its browser`()
    async throws
  {
    let photo = try RunningInference.bytes()
    let origins = [
      ("http://127.0.0.1", 200), ("http://evil.example", 403), ("null", 403), ("http://127.0.0.1:81", 403),
    ]
    try await RunningInference.run { server in
      for (origin, status) in origins {
        let answer = try server.send("POST", "/v1/detect", headers: ["Origin": origin], photo)
        #expect(answer.status == status, "\(origin)")
        if status == 403 { #expect(answer.errorCode == "origin-not-allowed", "\(origin)") }
      }
      let read = try server.send("GET", "/v1/models", headers: ["Origin": "http://evil.example"])
      #expect(read.status == 403 && read.errorCode == "origin-not-allowed")
    }
  }

  @Test func `a response is sent within the caller's time limit`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run { server in
      // However fast the machine is, no slot becomes free in that time.
      let calls = server.service.scheduler.holdSlots(for: "other")
      for headers in [["Fovea-Timeout-Ms": "1"], ["x-envoy-expected-rq-timeout-ms": "1"]] {
        let answer = try server.send("POST", "/v1/detect", headers: headers, photo)
        #expect(answer.status == 504 && answer.errorCode == "deadline-exceeded", "\(headers)")
      }
      for call in calls { call.cancel() }
      for headers in [["Fovea-Timeout-Ms": "50000"], ["x-envoy-expected-rq-timeout-ms": "none"]] {
        #expect(try server.send("POST", "/v1/detect", headers: headers, photo).status == 200)
      }
    }
  }
}
#endif
