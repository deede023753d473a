// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaTesting
import Testing

@testable import FoveaInference

/// Queries of the routes whose options are in a JSON body.
@Suite struct BodyQueryTests {
  struct Route: Sendable, CustomTestStringConvertible {
    let target: String
    /// IMAGE is an image in base64; nil for a GET.
    var json: String?
    /// An option of the query, and the advice for it.
    let option: String
    let advice: String
    /// Items of the query without effect.
    var unused: [String] = []
    /// The status without an option.
    var success = 200
    var testDescription: String { "\(target)?\(option)" }

    /// A request with a query has the status and contains the texts.
    func expect(
      _ query: String, _ status: Int, _ texts: [String] = [], of server: RunningInference, _ image: String
    ) throws {
      let target = query.isEmpty ? target : target + "?" + query
      let answer =
        if let json { try server.post(target, json.replacing("IMAGE", with: image)) } else {
          try server.send("GET", target)
        }
      #expect(answer.status == status, "\(target): \(answer.body.prefix(300))")
      #expect(texts.allSatisfy { answer.body.contains($0) }, "\(target): \(answer.body.prefix(300))")
    }
  }

  private static let vertex = "/v1/projects/p/locations/l/endpoints/default"
  private static let google = [
    "$alt=json;enum-encoding=int", "$.xgafv=2", "alt=json", "prettyPrint=false", "quotaUser=x", "key=x",
    "access_token=x", "userProject=p", "upload_protocol=raw",
  ]
  private static let instances = #"{"instances": [{"content": "IMAGE"}]}"#
  private static let tensors =
    #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["IMAGE"]}]}"#

  static let routes = [
    Route(
      target: "/detect", json: #"{"data": "IMAGE", "detect": {"*": 50}}"#, option: "confidence=0.5",
      advice: "Omit it; the options in the JSON body are detect, detector_name, image, regions"),
    Route(
      target: "/detect", json: #"{"data": "IMAGE", "detect": {"*": 50}}"#, option: "detector_nam=x",
      advice: "Write 'detector_name' in the JSON body"),
    Route(
      target: "/image", json: #"{"data": "IMAGE", "detect": {"*": 50}}"#, option: "detect=60",
      advice: "Write 'detect' in the JSON body"),
    Route(
      target: "/v2/models/default/infer", json: tensors, option: "threshold=0.5",
      advice: "Write 'threshold' in the JSON body"),
    Route(
      target: "/v2/models/default/infer", json: tensors, option: "foo=1",
      advice: "Omit it; the options in the JSON body are allow, binary_data_output, deny, label-threshold, "
        + "max-labels, max-objects, priority, sequence_end, sequence_id, sequence_start, single, slice, "
        + "threshold, timeout"),
    Route(
      target: "/v2/models/default/versions/1/infer", json: tensors, option: "allow=cup",
      advice: "Write 'allow' in the JSON body"),
    Route(
      target: "/v2/repository/index", json: "{}", option: "ready=true",
      advice: "Write 'ready' in the JSON body"),
    // Each load makes a version.
    Route(
      target: "/v2/repository/models/default/load", json: "{}", option: "foo=1",
      advice: "Omit it: this route has no options"),
    Route(
      target: "/v1/models/default:load", json: "{}", option: "version=2",
      advice: "Omit it: this route has no options"),
    Route(
      target: "/v1/models/default:load", json: "", option: "force=1",
      advice: "Omit it: this route has no options"),
    Route(
      target: "/v1/session", json: "x", option: "remember=1", advice: "Omit it: this route has no options",
      success: 204),
    Route(
      target: "/v1/vision/custom/list", json: "", option: "type=x",
      advice: "Omit it: this route has no options", unused: ["admin_key=x"]),
    Route(
      target: vertex + ":predict", json: instances, option: "confidenceThreshold=0.5",
      advice: "Write 'confidenceThreshold' in the JSON body", unused: google),
    Route(
      target: vertex + ":rawPredict", json: instances, option: "top=1",
      advice: "Omit it; the options in the JSON body are confidenceThreshold, maxPredictions", unused: google),
    Route(target: vertex, option: "view=x", advice: "Omit it: this route has no options", unused: google),
    Route(
      target: "/v1/models/default:predict", json: #"{"instances": [{"image_bytes": {"b64": "IMAGE"}}]}"#,
      option: "confidence=0.5", advice: "Omit it: this route has no options", unused: google),
    Route(
      target: "/v1/images:annotate",
      json:
        #"{"requests": [{"image": {"content": "IMAGE"}, "features": [{"type": "OBJECT_LOCALIZATION"}]}]}"#,
      option: "maxResults=1", advice: "Write 'maxResults' in the JSON body", unused: google),
    Route(
      target: "/infer/object_detection", json: #"{"image": {"value": "IMAGE"}}"#, option: "confidence=0.5",
      advice: "Write 'confidence' in the JSON body", unused: ["countinference=false", "service_secret=x"]),
    Route(
      target: "/model/add", json: #"{"model_id": "default"}"#, option: "model_id=x",
      advice: "Write 'model_id' in the JSON body", unused: ["countinference=false", "service_secret=x"]),
  ]

  @Test func `an option in the query of a route with a JSON body is refused by its name`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    try await RunningInference.run([.embedded]) { server in
      for route in Self.routes {
        let name = route.option.prefix { $0 != "=" }
        try route.expect("", route.success, of: server, image)
        for query in [route.option, "api_key=x&" + route.option] {
          try route.expect(
            query, 400, ["There is no option '\(name)' in the query", route.advice], of: server, image)
        }
        for query in route.unused + ["api_key=x"] {
          try route.expect(query, route.success, of: server, image)
        }
      }
      let predict = "/v1/models/default:predict?"
      for (query, name) in [("alt=media", "alt"), ("fields=x", "fields"), ("$callback=f", "$callback")] {
        let answer = try server.post(
          predict + query, #"{"instances": [{"image_bytes": {"b64": "\#(image)"}}]}"#)
        #expect(answer.status == 400 && answer.body.contains("'\(name)' is '"), "\(answer.body)")
      }
    }
  }

  /// Routes without options: their paths below a prefix, and items of the query without effect.
  static let reads: [(prefix: String, paths: [String], unused: [String])] = [
    ("/v1/models", ["", "/default"], []), ("/v1/streams", [""], []), ("/detectors", [""], []),
    ("/v1/models/default", ["/metadata", "/versions/1", "/versions/1/metadata"], google),
    ("/v1/vision/custom", ["/list"], ["admin_key=x"]),
    ("/v1", ["/status/ping", "/server/status/ping", "/status/version", "/status/updateavailable"], []),
    ("/v2", ["", "/health/live", "/health/ready", "/models/stats"], []),
    ("/v2/models/default", ["", "/ready", "/config", "/stats", "/versions/1", "/versions/1/ready"], []),
    ("/v2/models/default@tensors", [""], []),
    ("", ["/info", "/model/registry"], ["countinference=false", "service_secret=x"]),
  ]

  @Test func `a parameter in the query of a route without options is refused by its name`() async throws {
    try await RunningInference.run([.embedded]) { server in
      let routes = Self.reads.flatMap { group in
        group.paths.map { path in
          Route(
            target: group.prefix + path, option: "verbose=1", advice: "Omit it: this route has no options",
            unused: group.unused)
        }
      }
      for route in routes {
        try route.expect("", 200, of: server, "")
        for query in ["verbose=1", "key=x&verbose=1"] {
          try route.expect(
            query, 400, ["There is no option 'verbose' in the query", route.advice], of: server, "")
        }
        for query in route.unused + ["key=x", "api_key=x"] { try route.expect(query, 200, of: server, "") }
        let head = try server.send("HEAD", route.target + "?verbose=1")
        #expect(head.status == 400 && head.body.isEmpty, "\(route): \(head.status)")
      }
      let end = try server.send("DELETE", "/v1/session?all=true")
      #expect(end.status == 400 && end.errorCode == "option-unknown", "\(end.body)")
      #expect(try server.send("GET", "/v1/models/bird?x=1").errorCode == "option-unknown")
      #expect(try server.send("GET", "/v1/none?x=1").status == 404)
    }
  }

  @Test func `pages, health checks and the API's description accept any query`() async throws {
    try await RunningInference.run([.embedded]) { server in
      for path in ["/", "/assets/app.js", "/openapi.json", "/livez", "/readyz", "/health", "/metrics"] {
        for query in ["?_=123", "?v=1.2&utm_source=mail"] {
          for method in ["GET", "HEAD"] {
            let answer = try server.send(method, path + query)
            #expect(answer.status == 200, "\(method) \(path)\(query)")
          }
        }
      }
    }
  }

  @Test func `each route that reads either refuses a query or is loaded by browsers and monitors`() {
    let open = APIRoute.all.filter { $0.method != "POST" && !$0.refusesQuery }.map(\.path)
    #expect(
      open.sorted() == [
        "/", "/assets/{file}", "/health", "/livez", "/metrics", "/openapi.json", "/readyz", "/v1/events",
        "/v1/events/{event}/snapshot.jpg", "/v1/live",
        "/v1/streams/{stream}/frame.jpg", "/v1/streams/{stream}/live", "/v1/streams/{stream}/video.mjpeg",
      ])
  }

  @Test func `an option in the query of a WebSocket is refused by its name`() async throws {
    try await RunningInference.run([.embedded]) { server in
      for (query, advice) in [
        ("threshold=0.9", "Write 'threshold' in the message 'start'"),
        ("key=x&tresholds=1", "Write 'threshold' in the message 'start'"),
        (
          "fps=3",
          "Omit it; the options in the message 'start' are allow, deny, every, lines, masks, model, task, "
            + "threshold, zones"
        ),
      ] {
        let error = #expect(throws: TestFailure.self) {
          try WebSocketClient(port: server.port, path: "/v1/live?" + query)
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("400") && text.contains("option-unknown") && text.contains(advice), "\(text)")
      }
      for query in ["", "?", "?key=x", "?api_key=x"] {
        _ = try WebSocketClient(port: server.port, path: "/v1/live" + query)
      }
    }
  }
}
#endif
