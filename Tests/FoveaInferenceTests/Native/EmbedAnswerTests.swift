// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaInference

/// Answers with features, and requests for results that a model does not have.
@Suite struct EmbedAnswerTests {
  private static func photo(
    _ name: String, _ source: ModelSource, region: BoundingBox? = nil
  ) async throws -> PhotoFeatures {
    var options = ImageEmbedder.Options()
    options.threads = 1
    let values = try await ImageEmbedder(model: source, options: options).embedding(
      of: .data(RunningInference.bytes()), region: region)
    return PhotoFeatures(name: ImageName(name), values: values)
  }

  @Test func `a response is the line that fovea embed writes, in each form of request`() async throws {
    let bytes = try RunningInference.bytes()
    let file = ModelSource.file(SegmentAnswerTests.path("embedding"))
    let whole = try await Self.photo("-", file)
    let region = BoundingBox(x: 10, y: 20, width: 300, height: 200)
    let rows: [(target: String, text: String)] = [
      ("/v1/embed?model=vector", whole.json + "\n"),
      ("/v1/models/vector:embed?format=jsonl", whole.json + "\n"),
      ("/v1/embed?model=vector&name=c.jpg", try await Self.photo("c.jpg", file).json + "\n"),
      (
        "/v1/embed?model=vector&roi=10,20,300,200",
        try await Self.photo("-", file, region: region).json + "\n"
      ),
      ("/v1/embed?model=vector&format=csv", whole.csvHeader + whole.csv),
      ("/v1/embed?model=features", try await Self.photo("-", .embedded(.classifier)).json + "\n"),
    ]
    let base64 = Data(bytes).base64EncodedString()
    let two = #"{"images": [{"base64": "\#(base64)", "name": "-"}, {"base64": "aGVsbG8=", "name": "2"}], "#
    try await RunningInference.run(try SegmentAnswerTests.entries()) { server in
      for row in rows {
        let answer = try server.send("POST", row.target, bytes)
        #expect(answer.status == 200 && answer.body == row.text, "\(row.target): \(answer.body.prefix(99))")
        #expect(answer.headers["server-timing"]?.contains("run;dur=") == true)
      }
      // The second part contains text, not an image.
      let lines = try server.post(
        "/v1/embed", two + #""parameters": {"model": "vector", "format": "jsonl"}}"#)
      let pieces = lines.body.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{\"image\"") }
      #expect(lines.status == 200 && pieces.count == 2 && pieces.first.map(String.init) == whole.json)
      #expect(pieces.last?.hasPrefix(#"{"image": "2", "error": {"code": "image-unknown-format""#) == true)
      let table = try server.post("/v1/embed", two + #""parameters": {"model": "vector", "format": "csv"}}"#)
      #expect(table.status == 415 && table.errorCode == "image-unknown-format")
    }
  }

  @Test func `the list of models has their tasks`() async throws {
    try await RunningInference.run(try SegmentAnswerTests.entries()) { server in
      let answer = try server.send("GET", "/v1/models")
      let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
      let models = try #require(value?["models"] as? [[String: Any]])
      #expect(models.map { $0["task"] as? String } == ["detect", "segment", "embed", "label", "embed"])
      #expect(
        models.dropFirst().map { $0["family"] as? String } == [
          "segmentation", "embedding", "classifier", "classifier",
        ])
      #expect(models.map { $0["dimension"] as? Int } == [nil, nil, 128, nil, 1280])
    }
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let target: String
    var accept = "*/*"
    var body: [UInt8]?
    var status = 400
    let code: String
    /// A part of the answer.
    var text = ""
    var testDescription: String { target }
  }

  private static let images = Array(
    ("{\"images\": [" + Array(repeating: #"{"base64": "aGVs"}"#, count: 65).joined(separator: ",") + "]}")
      .utf8)

  private static let refused: [Refused] = [
    Refused(
      target: "/v1/detect?model=map", code: "task-mismatch",
      text: "'map' finds classes of pixels and does not find objects"),
    Refused(target: "/v1/label?model=map", code: "task-mismatch", text: "Name a classifier, or request maps"),
    Refused(
      target: "/v1/models/vector:detect", code: "task-mismatch",
      text: "'vector' computes features and does not find objects"),
    // Without a name, the first model answers.
    Refused(
      target: "/v1/segment", code: "task-mismatch",
      text: "'default' finds objects and does not find classes of pixels"),
    Refused(target: "/v1/embed", code: "task-mismatch", text: "Name an embedder, or request objects"),
    Refused(
      target: "/v1/embed?model=coarse", code: "task-mismatch",
      text: #"ask the server's operator to serve it with \"task\": \"embed\""#),
    Refused(target: "/v1/segment?model=vector", code: "task-mismatch"),
    Refused(target: "/v1/embed?model=mapp", status: 404, code: "model-unknown", text: "Did you mean 'map'?"),
    Refused(target: "/v1/segment?model=map&threshold=0.5", code: "option-unknown", text: "'threshold'"),
    Refused(target: "/v1/segment?model=map&allow=cup", code: "option-unknown", text: "'allow'"),
    Refused(
      target: "/v1/segment?model=map&format=csv", code: "option-invalid",
      text: "cannot be csv for maps"),
    Refused(
      target: "/v1/segment?model=map", accept: "text/csv", code: "option-invalid",
      text: "Use json, jsonl or png"),
    Refused(
      target: "/v1/segment?model=map&format=gif", code: "option-invalid", text: "Use json, jsonl or png"),
    Refused(target: "/v1/segment?model=map&format=PNG", code: "option-invalid"),
    Refused(
      target: "/v1/segment?model=map&format=png&annotate=jpeg", code: "option-invalid",
      text: "The option 'annotate' cannot be combined with format=png"),
    Refused(
      target: "/v1/embed?model=vector&format=png", code: "option-invalid", text: "Use json, jsonl or csv"),
    Refused(target: "/v1/detect?format=png", code: "option-invalid", text: "Use json, jsonl or csv"),
    Refused(target: "/v1/segment?model=map&masks=png", code: "option-invalid"),
    Refused(target: "/v1/segment?model=map&roi=9000,9000,10,10", code: "option-invalid"),
    Refused(target: "/v1/embed?model=vector&roi=9000,9000,10,10", code: "option-invalid"),
    Refused(target: "/v1/embed?model=vector&masks=none", code: "option-unknown"),
    Refused(target: "/v1/embed?model=vector&annotate=jpeg", code: "option-unknown"),
    Refused(
      target: "/v1/embed?model=vector", accept: "image/jpeg", code: "option-invalid",
      text: "requires a detector or a segmentation model; 'vector' computes features"),
    Refused(
      target: "/v1/segment?model=map", accept: "image/png", body: images, status: 413,
      code: "request-too-large"),
    Refused(target: "/v1/embed?model=vector", body: images, status: 413, code: "request-too-large"),
    Refused(target: "/v1/segment?model=map", body: [], code: "request-empty"),
    Refused(
      target: "/v1/segment?model=map", body: Array("hello".utf8), status: 415, code: "image-unknown-format"),
    Refused(
      target: "/v1/segment?model=map", accept: "image/png", body: Array("hello".utf8), status: 415,
      code: "image-unknown-format"),
    Refused(
      target: "/v1/embed?model=vector", body: Array("hello".utf8), status: 415, code: "image-unknown-format"),
  ]

  @Test func `a bad request is rejected with its reason, and the next one is answered`() async throws {
    let photo = try RunningInference.bytes()
    let two = #"{"images": [{"base64": "aGVs"}, {"base64": "aGVs"}]}"#
    try await RunningInference.run(try SegmentAnswerTests.entries()) { server in
      for row in Self.refused {
        let answer = try server.send(
          "POST", row.target, headers: ["Accept": row.accept], row.body ?? photo)
        #expect(answer.status == row.status && answer.errorCode == row.code, "\(row): \(answer.body)")
        #expect(row.text.isEmpty || answer.body.contains(row.text), "\(row): \(answer.body)")
      }
      let several = try server.send(
        "POST", "/v1/segment?model=map",
        headers: ["Accept": "image/png", "Content-Type": "application/json"],
        Array(two.utf8))
      #expect(several.status == 400 && several.body.contains("requires a single image"))
      let numbered = try server.post(
        "/v1/segment", String(two.dropLast()) + #", "parameters": {"model": "map", "format": "png"}}"#)
      #expect(numbered.status == 400 && numbered.errorCode == "option-invalid")
      #expect(numbered.body.contains("is png, which requires a single image; the request has 2"))
      #expect(try server.send("POST", "/v1/segment?model=map", photo).status == 200)
      #expect(try server.send("POST", "/v1/embed?model=vector", photo).status == 200)
      let calls = #"fovea_requests_total{route="/v1/embed",protocol="native",status="200"} 1"#
      blockUntil { (try? server.send("GET", "/metrics").body.contains(calls)) == true }
      #expect(try server.send("GET", "/metrics").body.contains(calls))
    }
  }

  @Test func `protocols of other servers refuse models without objects and labels`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    let instances = #"{"instances": [{"image_bytes": {"b64": "\#(image)"}}]}"#
    let vertex = #"{"instances": [{"content": "\#(image)"}]}"#
    let words = "and this protocol has no results of that kind"
    try await RunningInference.run(try SegmentAnswerTests.entries()) { server in
      for name in ["map", "vector"] {
        let answers = [
          try server.post("/v1/models/\(name):predict", instances),
          try server.post("/v1/projects/p/locations/l/endpoints/\(name):predict", vertex),
          try server.send("GET", "/v1/models/\(name)/metadata"), try server.send("GET", "/v2/models/\(name)"),
          try server.send(
            "POST", "/\(name)/1", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            Array(image.utf8)),
        ]
        for answer in answers { #expect(answer.status == 400 && answer.body.contains(words), "\(answer)") }
        #expect(try server.send("GET", "/v2/models/\(name)@tensors").status == 200)
      }
      let ids = try server.send("GET", "/model/registry").body
      #expect(ids.contains("\"default\"") && ids.contains("\"coarse\""))
      #expect(!ids.contains("\"map\"") && !ids.contains("\"features\""))
      let client = try WebSocketClient(port: server.port, path: "/v1/live")
      client.send(.text(#"{"type": "start", "model": "map"}"#))
      #expect(try client.text(with: "error")?.contains("task-mismatch") == true)
    }
  }
}
#endif
