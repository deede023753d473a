// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaInference
import FoveaTesting
import Testing

/// Requests of Triton's client: JSON, then the bytes of tensors, without a content type.
@Suite struct OpenInferenceTests {
  /// The model in the path, more members of the body, and a part of the error; nil for an answer.
  private static let names: [(path: String, members: String, error: String?)] = [
    ("default", #""model_name": "default", "model_version": "1""#, nil),
    ("default", #""model_name": null, "model_version": null"#, nil),
    ("default", #""model_name": "", "model_version": """#, nil),
    // Version 0 is any version, as in a path, and an alias is the same model.
    ("default", #""model_name": "4567", "model_version": "0""#, nil),
    ("4567", #""model_name": "default""#, nil),
    ("4567/versions/1", #""model_name": "4567", "model_version": "1""#, nil),
    (
      "default", #""model_name": "coarse""#,
      "'model_name' is 'coarse', but the path names the model 'default'. Omit it"
    ),
    ("default", #""model_name": "no""#, "'model_name' is 'no'"),
    ("default", #""model_name": "default@tensors""#, "'model_name' is 'default@tensors'"),
    ("default", #""model_name": 1"#, "'model_name' is not a string"),
    (
      "default", #""model_version": "2""#,
      "'model_version' is '2', but the model 'default' has only the version 1. Omit it"
    ),
    ("default/versions/1", #""model_version": "2""#, "'model_version' is '2'"),
    ("default", #""model_version": "01""#, "'model_version' is '01'"),
    ("default", #""model_version": 1"#, "'model_version' is not a string"),
    // The first names the tensors as the path does, and is refused for its input only.
    ("default@tensors", #""model_name": "default@tensors""#, "'image'"),
    (
      "default@tensors", #""model_name": "default""#,
      "'model_name' is 'default', but the path names the model 'default@tensors'"
    ),
  ]

  @Test func `a body names the model and the version of its path, or neither`() async throws {
    let one = Self.element(try RunningInference.bytes())
    var entry = ModelEntry.embedded
    entry.aliases = ["4567"]
    try await RunningInference.run([entry, ModelEntry(name: "coarse", source: .embedded(.classifier))]) {
      server in
      for row in Self.names {
        let head = #"{"inputs": [\#(Self.input(one.count))], \#(row.members)}"#
        let answer = try Self.infer(server, head, one, model: row.path)
        #expect(answer.status == (row.error == nil ? 200 : 400), "\(row): \(answer.body)")
        if let error = row.error { #expect(answer.body.contains(error), "\(row): \(answer.body)") }
      }
    }
  }

  private static func json(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static func element(_ bytes: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
  }

  private static func infer(
    _ server: RunningInference, _ head: String, _ tail: [UInt8], length: String? = nil,
    model: String = "default"
  ) throws -> HTTPAnswer {
    try server.send(
      "POST", "/v2/models/\(model)/infer",
      headers: ["Inference-Header-Content-Length": length ?? "\(head.utf8.count)"], Array(head.utf8) + tail)
  }

  private static func input(
    _ size: Int, shape: String = "[1]", type: String = "BYTES", name: String = "image"
  )
    -> String
  {
    #"{"name": "\#(name)", "datatype": "\#(type)", "shape": \#(shape), "parameters": {"binary_data_size": \#(size)}}"#
  }

  @Test func `a model is described as clients expect`() async throws {
    try await RunningInference.run { server in
      for path in ["/v2/health/live", "/v2/health/ready", "/v2/models/default/ready"] {
        #expect(try server.send("GET", path).status == 200, "\(path)")
      }
      // Version 0 is any version, as in inference requests.
      for (path, status) in [
        ("default/versions/1/ready", 200), ("default/versions/0/ready", 200), ("default/versions/0", 200),
        ("default/versions/2/ready", 400), ("default/versions/x/ready", 400), ("none/ready", 400),
        ("none/versions/0/ready", 400), ("coarse@tensors/versions/0/ready", 200),
      ] {
        #expect(try server.send("GET", "/v2/models/" + path).status == status, "\(path)")
      }
      let model = try Self.json(try server.send("GET", "/v2/models/default").body)
      #expect((model["inputs"] as? [[String: Any]])?.first?["datatype"] as? String == "BYTES")
      #expect((model["outputs"] as? [[String: Any]])?.count == 5)
      #expect(try server.send("GET", "/v2/models/default/versions/1").status == 200)
      #expect(try server.send("GET", "/v2/models/default/versions/2").status == 404)
      #expect(try server.send("GET", "/v2/models/none").status == 404)
      #expect(try server.send("POST", "/v2/repository/index").body.contains(#""state": "READY""#))
      #expect(try server.send("POST", "/v2/repository/models/coarse/unload").status == 200)
      for path in ["coarse/ready", "coarse/versions/0/ready", "coarse/versions/1/ready"] {
        #expect(try server.send("GET", "/v2/models/" + path).status == 400, "\(path)")
      }
      #expect(try server.send("POST", "/v2/repository/models/coarse/load").status == 200)
      #expect(try server.send("GET", "/v2/models/coarse/ready").status == 200)
      #expect(try server.send("POST", "/v2/repository/models/no/load").status == 404)
    }
  }

  /// A body of the model repository, and the member that is refused; nil if none is.
  static let repositoryBodies: [(path: String, body: String, refused: String?)] = [
    // As tritonclient sends them.
    ("index", "", nil), ("index", #"{"ready": true}"#, nil), ("index", #"{"ready": false}"#, nil),
    ("models/coarse/load", "{}", nil),
    ("models/coarse/unload", #"{"parameters": {"unload_dependents": false}}"#, nil),
    ("models/coarse/load", "", nil), ("models/coarse/load", #"{"parameters": {}}"#, nil),
    ("models/coarse/unload", "", nil),
    ("index", #"{"redy": true}"#, "the body has no member 'redy'"),
    ("index", #"{"parameters": {}}"#, "the body has no member 'parameters'"),
    ("models/coarse/load", #"{"ready": true}"#, "the body has no member 'ready'"),
    ("models/coarse/load", #"{"parameters": {"config": "{}"}}"#, "'config'"),
    ("models/coarse/load", #"{"parameters": {"file:1/model.tflite": "AA=="}}"#, "'file:1/model.tflite'"),
    ("models/coarse/load", #"{"parameters": {"version": 2}}"#, "'parameters' has no member 'version'"),
    (
      "models/coarse/unload", #"{"parameters": {"unload_dependants": true}}"#,
      "'parameters' has no member 'unload_dependants'"
    ),
    ("models/coarse/unload", "[]", "an object"), ("index", "x", "The body"),
  ]

  @Test func `the model repository refuses unknown members by name`() async throws {
    try await RunningInference.run { server in
      for row in Self.repositoryBodies {
        let answer = try server.post("/v2/repository/" + row.path, row.body)
        #expect(answer.status == (row.refused == nil ? 200 : 400), "\(row): \(answer.body)")
        if let refused = row.refused { #expect(answer.body.contains(refused), "\(row): \(answer.body)") }
      }
      // `coarse` was unloaded last.
      let ready = try server.post("/v2/repository/index", #"{"ready": true}"#).body
      #expect(ready.contains(#""default""#) && !ready.contains(#""coarse""#), "\(ready)")
      #expect(try server.post("/v2/repository/index", "{}").body.contains(#""coarse""#))
    }
  }

  /// Bodies of Fovea's own routes for models, and the text of the refusal; nil if there is none.
  static let changeBodies: [(body: String, refused: String?)] = [
    ("", nil), ("{}", nil), (" {\n} ", nil),
    (#"{"version": 2}"#, "the body has no member 'version'"),
    (#"{"parameters": {}}"#, "the body has no member 'parameters'"),
    (#"{"force": true}"#, "it has none"), ("[]", "an object"), ("x", "The body"),
  ]

  @Test func `Fovea's own routes for models refuse members and parameters by name`() async throws {
    try await RunningInference.run { server in
      for call in ["unload", "load", "rollback"] {
        // A file has no earlier version.
        let isDone = call != "rollback"
        let target = "/v1/models/coarse:" + call
        for row in Self.changeBodies {
          let answer = try server.post(target, row.body)
          if let refused = row.refused {
            #expect(
              answer.status == 400 && answer.errorCode == "request-malformed"
                && answer.body.contains(refused), "\(call) \(row.body): \(answer.body)")
          } else {
            #expect((answer.status == 200) == isDone, "\(call) \(row.body): \(answer.body)")
            #expect(answer.errorCode != "request-malformed", "\(call) \(row.body): \(answer.body)")
          }
        }
        let answer = try server.post(target + "?version=2", "")
        #expect(
          answer.status == 400 && answer.errorCode == "option-unknown"
            && answer.body.contains("There is no option 'version' in the query"), "\(answer.body)")
      }
      // A refused call changes nothing.
      #expect(try server.post("/v1/models/coarse:unload", #"{"force": true}"#).status == 400)
      #expect(try server.send("GET", "/v1/models/coarse").body.contains(#""state": "ready""#))
    }
  }

  @Test func `options for images are refused by name for tensors`() async throws {
    try await RunningInference.run { server in
      for name in ["default@tensors", "coarse@tensors"] {
        let answer = try server.post(
          "/v2/models/\(name)/infer", #"{"inputs": [], "parameters": {"threshold": 0.5}}"#)
        #expect(answer.status == 400, "\(answer.body)")
        #expect(
          answer.body.contains(
            "There is no option 'threshold'. The options are binary_data_output, priority, sequence_end, "
              + "sequence_id, sequence_start, timeout"), "\(answer.body)")
      }
    }
  }

  /// The counts of a model in `/stats`, by name.
  private static func counts(_ text: String, of model: String) throws -> [String: Int] {
    let models = try #require(try json(text)["model_stats"] as? [[String: Any]])
    let stats = try #require(models.first { $0["name"] as? String == model })
    #expect(stats["version"] as? String == "1")
    let times = try #require(stats["inference_stats"] as? [String: [String: Int]])
    #expect(times.values.allSatisfy { ($0["ns"] ?? 0 > 0) == ($0["count"] ?? 0 > 0) }, "\(times)")
    var counts = times.compactMapValues { $0["count"] }
    counts["inference"] = stats["inference_count"] as? Int
    counts["last"] = try #require(stats["last_inference"] as? Int) > 0 ? 1 : 0
    return counts
  }

  @Test func `responses and errors of a model are counted, by images and by tensors`() async throws {
    let photo = Self.element(try RunningInference.bytes())
    try await RunningInference.run { server in
      let path = "/v2/models/default/stats"
      let before = try Self.counts(server.send("GET", path).body, of: "default")
      #expect(before.values.allSatisfy { $0 == 0 }, "\(before)")
      for bytes in [photo, photo, Self.element([1, 2, 3])] {
        _ = try Self.infer(server, #"{"inputs": [\#(Self.input(bytes.count))]}"#, bytes)
      }
      for path in [path, "/v2/models/default/versions/1/stats", "/v2/models/stats"] {
        let after = try Self.counts(server.send("GET", path).body, of: "default")
        #expect(
          after == [
            "inference": 2, "last": 1, "success": 2, "fail": 1, "queue": 2, "compute_input": 2,
            "compute_infer": 2, "compute_output": 2,
          ], "\(path)")
      }
      #expect(try Self.counts(server.send("GET", "/v2/models/stats").body, of: "coarse")["success"] == 0)
      #expect(try server.send("GET", "/v2/models/none/stats").status == 404)
    }
  }

  @Test func `images are sent as bytes, and rows of objects returned`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run { server in
      let one = Self.element(photo)
      let named = #""outputs": [{"name": "labels"}, {"name": "boxes"}, {"name": "image_index"}]"#
      let answer = try Self.json(
        try Self.infer(
          server,
          #"{"id": "7", "inputs": [\#(Self.input(2 * one.count, shape: "[2]"))], \#(named)}"#, one + one
        ).body)
      #expect(answer["id"] as? String == "7" && answer["model_name"] as? String == "default")
      let outputs = try #require(answer["outputs"] as? [[String: Any]])
      #expect(outputs.map { $0["name"] as? String } == ["labels", "boxes", "image_index"])
      let labels = try #require(outputs[0]["data"] as? [String])
      #expect(labels.contains("cup"))
      #expect(outputs[1]["shape"] as? [Int] == [labels.count, 4])
      #expect((outputs[1]["data"] as? [Double])?.count == 4 * labels.count)
      let indices = try #require(outputs[2]["data"] as? [Int])
      #expect(indices.filter { $0 == 0 }.count == indices.filter { $0 == 1 }.count)
      let base64 = Data(photo).base64EncodedString()
      let text = try server.post(
        "/v2/models/coarse/infer",
        #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["\#(base64)"]}]}"#)
      #expect(text.status == 200 && text.body.contains("Home good"))
    }
  }

  @Test func `outputs follow the JSON on request`() async throws {
    let one = Self.element(try RunningInference.bytes())
    try await RunningInference.run { server in
      let head = #"""
        {"inputs": [\#(Self.input(one.count))], "outputs": [{"name": "scores", "parameters": {"binary_data": true}}],
        "parameters": {"threshold": 0.3, "max-objects": 1, "priority": 5}}
        """#
      let answer = try Self.infer(server, head, one)
      #expect(answer.headers["content-type"] == "application/octet-stream")
      let length = try #require(answer.headers["inference-header-content-length"].flatMap { Int($0) })
      let json = try Self.json(String(decoding: Array(answer.body.utf8).prefix(length), as: UTF8.self))
      let output = try #require((json["outputs"] as? [[String: Any]])?.first)
      #expect(output["shape"] as? [Int] == [1] && output["data"] == nil)
      #expect((output["parameters"] as? [String: Int])?["binary_data_size"] == 4)
    }
  }

  @Test func `an invalid call names the tensor, and the next is answered`() async throws {
    let one = Self.element(try RunningInference.bytes())
    let many = "[99999999999, 99999999999]"
    let good = #"{"inputs": [\#(Self.input(one.count))]}"#
    let outputs = (0...1_000).map { #"{"name": "o\#($0)"}"# }.joined(separator: ",")
    let inputs = [String](repeating: "{}", count: 100_000).joined(separator: ",")
    let calls: [(name: String, head: String, tail: [UInt8], length: String?)] = [
      ("another type", #"{"inputs": [\#(Self.input(one.count, type: "FP32"))]}"#, one, nil),
      ("another name", #"{"inputs": [\#(Self.input(one.count, name: "x"))]}"#, one, nil),
      ("no input", #"{"inputs": []}"#, [], nil),
      ("another shape", #"{"inputs": [\#(Self.input(one.count, shape: "[2]"))]}"#, one, nil),
      ("a shape of no end", #"{"inputs": [\#(Self.input(one.count, shape: many))]}"#, one, nil),
      ("a shape of nothing", #"{"inputs": [\#(Self.input(0, shape: "[0]"))]}"#, [], nil),
      ("too many bytes", #"{"inputs": [\#(Self.input(one.count))]}"#, one + [0], nil),
      ("too few bytes", #"{"inputs": [\#(Self.input(one.count + 1))]}"#, one, nil),
      ("an element beyond the end", #"{"inputs": [\#(Self.input(8))]}"#, [9, 0, 0, 0, 1, 2, 3, 4], nil),
      ("a head beyond the body", good, one, "99999999"),
      ("a head that is no number", good, one, "x"),
      ("a negative head", good, one, "-1"),
      (
        "an unknown output", #"{"inputs": [\#(Self.input(one.count))], "outputs": [{"name": "x"}]}"#, one,
        nil
      ),
      (
        "an output named twice",
        #"{"inputs": [\#(Self.input(one.count))], "outputs": [{"name": "boxes"}, {"name": "boxes"}]}"#, one,
        nil
      ),
      ("too many outputs", #"{"inputs": [\#(Self.input(one.count))], "outputs": [\#(outputs)]}"#, one, nil),
      ("too many inputs", #"{"inputs": [\#(inputs)]}"#, [], nil),
      ("no JSON", "hello", [], nil),
      ("no image", #"{"inputs": [\#(Self.input(9))]}"#, Self.element(Array("hello".utf8)), nil),
      (
        "an option out of range",
        #"{"inputs": [\#(Self.input(one.count))], "parameters": {"threshold": 2}}"#, one, nil
      ),
    ]
    try await RunningInference.run { server in
      for call in calls {
        let answer = try Self.infer(server, call.head, call.tail, length: call.length)
        #expect(answer.status == 400, "\(call.name): \(answer.body)")
        #expect(try Self.json(answer.body)["error"] is String, "\(call.name)")
        #expect(answer.body.utf8.count < 2_000, "\(call.name)")
        if call.name == "an output named twice" {
          #expect(answer.body.contains("the output 'boxes' is named twice"))
        }
        if call.name == "another shape" {
          #expect(answer.body.contains("has the shape [2] and 1 image; the shape [1] is expected"))
        }
        #expect(try Self.infer(server, good, one).status == 200, "after \(call.name)")
      }
      #expect(try Self.infer(server, good, one, model: "none").status == 404)
    }
  }
}
#endif
