// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaHTTP
import FoveaTesting
import Testing

@testable import FoveaInference

/// The forms of other servers; scripts/check-http-clients runs their own clients.
@Suite struct ProtocolTests {
  private static func json(_ answer: HTTPAnswer) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
  }

  @Test func `AutoML's container answers rows and columns, padded to 40`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    try await RunningInference.run { server in
      let rows = try Self.json(
        server.post(
          "/v1/models/default:predict",
          #"{"instances": [{"image_bytes": {"b64": "\#(image)"}, "key": "k"}]}"#
        ))
      let first = try #require((rows["predictions"] as? [[String: Any]])?.first)
      #expect(first["key"] as? String == "k")
      #expect((first["detection_boxes"] as? [[Double]])?.count == 40)
      #expect(
        (first["detection_boxes"] as? [[Double]])?.joined().allSatisfy { (0...1).contains($0) } == true)
      #expect((first["detection_classes_as_text"] as? [String])?.first == "cup")
      let info = try #require(first["image_info"] as? [Int])
      #expect(info.count == 6 && info.prefix(2) == info.suffix(2) && info[2...3] == [1, 0], "\(info)")
      let columns = try Self.json(
        server.post(
          "/v1/models/coarse/versions/1:predict",
          #"{"inputs": {"key": ["a"], "image_bytes": [{"b64": "\#(image)"}]}}"#))
      let labels = try #require(columns["outputs"] as? [String: Any])
      #expect((labels["labels"] as? [[String]])?.first?.first == "Home good")
      #expect((labels["scores"] as? [[Double]])?.count == 1 && labels["key"] as? [String] == ["a"])
      for (model, output) in [("default", "detection_boxes"), ("coarse", "scores")] {
        let metadata = try server.send("GET", "/v1/models/\(model)/metadata").body
        #expect(metadata.contains("\"image_bytes\"") && metadata.contains("\"\(output)\""), "\(metadata)")
      }
      #expect(try server.send("GET", "/v1/models/no/metadata").status == 404)
      for body in [
        "", "[]", "{}", #"{"instances": []}"#, #"{"instances": [{"image_bytes": {"b64": "aGVsbG8="}}]}"#,
      ] {
        let answer = try server.post("/v1/models/default:predict", body)
        let error = try Self.json(answer)["error"] as? String
        #expect(answer.status == 400 && error != nil, "\(body)")
      }
      #expect(
        try server.post("/v1/models/no:predict", #"{"instances": [{"image_bytes": {"b64": "aGVs"}}]}"#)
          .status == 404)
    }
  }

  /// The sizes of a list, and of its first element, and so on; empty for a single value.
  private static func shape(_ value: Any?) -> [Int] {
    guard let list = value as? [Any] else { return [] }
    return [list.count] + shape(list.first)
  }

  @Test(arguments: ["default", "coarse"])
  func `an answer has the tensors that the metadata declares`(_ model: String) async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    try await RunningInference.run { server in
      let metadata = try Self.json(server.send("GET", "/v1/models/\(model)/metadata"))
      var object: Any? = metadata
      for name in ["metadata", "signature_def", "signature_def", "serving_default", "outputs"] {
        object = (object as? [String: Any])?[name]
      }
      let declared = try #require(object as? [String: [String: Any]])
      let answer = try Self.json(
        server.post(
          "/v1/models/\(model):predict",
          #"{"instances": [{"image_bytes": {"b64": "\#(image)"}, "key": "k"}]}"#))
      let first = try #require((answer["predictions"] as? [[String: Any]])?.first)
      #expect(Set(declared.keys) == Set(first.keys))
      // The same values as columns, each with the dimension of the images.
      let columns = try Self.json(
        server.post(
          "/v1/models/\(model):predict",
          #"{"inputs": {"image_bytes": [{"b64": "\#(image)"}, {"b64": "\#(image)"}], "key": ["k", "l"]}}"#))
      let outputs = try #require(columns["outputs"] as? [String: [Any]])
      #expect(Set(declared.keys) == Set(outputs.keys))
      #expect(outputs["key"] as? [String] == ["k", "l"])
      for (name, value) in first {
        #expect(Self.shape(outputs[name]) == [2] + Self.shape(value), "\(name)")
      }
      for (name, tensor) in declared {
        let dimensions = (tensor["tensor_shape"] as? [String: Any])?["dim"] as? [[String: Any]]
        // The first dimension is that of the images.
        let sizes = try #require(dimensions).dropFirst().map { Int($0["size"] as? String ?? "") ?? 0 }
        let shape = Self.shape(first[name])
        #expect(shape.count == sizes.count, "\(name): \(shape) instead of \(sizes)")
        for (size, count) in zip(sizes, shape) where size >= 0 { #expect(size == count, "\(name): \(shape)") }
      }
    }
  }

  @Test func `health, versions and aliases are answered as clients read them`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    var entry = ModelEntry.embedded
    entry.aliases = ["4567"]
    let vertex = "/v1/projects/p/locations/l/endpoints/4567"
    let calls: [(target: String, status: Int, texts: [String])] = [
      ("/v2/health/live", 200, [#"{"live": true}"#]), ("/v2/health/ready", 200, [#"{"ready": true}"#]),
      ("/v2/models/default/ready", 200, [#""name": "default""#, #""ready": true"#]),
      ("/v2/models/4567/ready", 200, [#""ready": true"#]),
      ("/v2/models/no/ready", 400, [#""ready": false"#]),
      ("/v1/models/default", 200, [#""ready": true"#, #""aliases": ["4567"]"#, #""state": "AVAILABLE""#]),
      (
        "/v1/models/default/versions/1", 200,
        [#"{"model_version_status": [{"version": "1", "state": "AVAILABLE""#]
      ),
      ("/v1/models/4567/versions/1", 200, ["AVAILABLE"]),
      (
        "/v1/models/default/versions/2", 404,
        [#"{"error": "The model 'default' has only the version 1, not '2'"#]
      ),
      (
        "/v1/models/default/versions/1/metadata", 200,
        [#""model_spec""#, #""modelSpec""#, #""tensorShape""#]
      ),
      ("/v1/models/default/versions/2/metadata", 404, ["has only the version 1"]),
      (vertex, 200, [#""name": "projects/p/locations/l/endpoints/4567""#, #""displayName": "default""#]),
      ("/v1/projects/p/locations/l/endpoints/no", 404, [#""status": "NOT_FOUND""#]),
    ]
    try await RunningInference.run([entry]) { server in
      for call in calls {
        let answer = try server.send("GET", call.target)
        #expect(answer.status == call.status, "\(call.target): \(answer.body)")
        for text in call.texts { #expect(answer.body.contains(text), "\(call.target): \(answer.body)") }
      }
      let deployed = try Self.json(server.send("GET", vertex))
      let listed = try #require((deployed["deployedModels"] as? [[String: Any]])?.first)
      #expect(listed["id"] as? String == "1")
      #expect(listed["model"] as? String == "projects/p/locations/l/models/default")
      #expect(deployed["trafficSplit"] as? [String: Int] == ["1": 100])
      for name in [":predict", ":rawPredict"] {
        let answer = try server.post(vertex + name, #"{"instances": [{"content": "\#(image)"}]}"#)
        #expect(answer.status == 200 && answer.body.contains("cup"), "\(name): \(answer.body)")
        let found = try Self.json(answer)
        #expect(found["deployedModelId"] as? String == listed["id"] as? String, "\(name)")
        for member in ["model", "modelVersionId"] {
          #expect(found[member] as? String == listed[member] as? String, "\(name) \(member)")
        }
        #expect(found["modelDisplayName"] as? String == listed["displayName"] as? String, "\(name)")
      }
      #expect(try server.send("POST", "/v1/detect?model=4567", RunningInference.bytes()).status == 200)
    }
  }

  @Test func `DOODS accepts confidences of labels, and repeats the id with an error`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    try await RunningInference.run { server in
      func detect(_ confidences: String) throws -> [String] {
        let answer = try Self.json(
          server.post(
            "/detect",
            #"{"id": "7", "detector_name": "default", "data": "\#(image)", "detect": \#(confidences)}"#))
        #expect(answer["id"] as? String == "7")
        return (answer["detections"] as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
      }
      #expect(try detect(#"{"*": 30}"#).first == "cup")
      #expect(try detect(#"{"cup": 30}"#) == ["cup"])
      #expect(try detect(#"{"cup": 99, "*": 30}"#).contains("cup") == false)
      #expect(try detect(#"{"dog": 1}"#) == [])
      let bad = try server.post("/detect", #"{"id": "8", "data": "aGVsbG8=", "detect": {"*": 1}}"#)
      let badID = try Self.json(bad)["id"] as? String
      #expect(bad.status == 400 && badID == "8")
      let address = try server.post("/detect", #"{"data": "http://127.0.0.1/x.jpg"}"#)
      #expect(address.status == 400 && address.body.contains("does not fetch images"), "\(address.body)")
      let drawn = try server.sendForBytes(
        "POST", "/image", headers: ["Content-Type": "application/json"],
        Array(#"{"data": "\#(image)", "detect": {"cup": 30}}"#.utf8))
      #expect(drawn.answer.status == 200 && drawn.bytes.starts(with: [0xFF, 0xD8]))
      #expect(try server.post("/image", #"{"data": "aGVsbG8="}"#).status == 400)
      let detectors = try Self.json(server.send("GET", "/detectors"))
      let first = try #require((detectors["detectors"] as? [[String: Any]])?.first)
      #expect(first["name"] as? String == "default" && first["width"] as? Int == 352)
    }
  }

  @Test func `Cloud Vision's features of one kind are merged, so that no model runs twice on an image`()
    throws
  {
    typealias Feature = AnnotateRequest.Feature
    let cases: [(features: String, read: [Feature])] = [
      (
        #"{"type": 19, "maxResults": 3}, {"type": "OBJECT_LOCALIZATION", "maxResults": 7}, {"type": 19, "maxResults": 5}"#,
        [Feature(type: "19", maximum: 7)]
      ),
      (#"{"type": 4, "maxResults": 3}, {"type": 4}"#, [Feature(type: "4")]),
      (#"{"type": 4, "maxResults": 0}, {"type": 4, "maxResults": 3}"#, [Feature(type: "4")]),
      (
        #"{"type": 19}, {"type": 4}, {"type": 19}, {"type": 4}"#, [Feature(type: "19"), Feature(type: "4")]
      ),
      (#"{"type": 19, "model": "builtin/stable"}, {"type": 19, "model": ""}"#, [Feature(type: "19")]),
      (
        #"{"type": 19, "model": "a"}, {"type": 19, "model": "b"}, {"type": 19, "model": "a"}"#,
        [Feature(type: "19", model: "a", namesSeveralModels: true)]
      ),
    ]
    for (features, read) in cases {
      let body = #"{"requests": [{"image": {"content": "aGk="}, "features": [\#(features)]}]}"#
      let request = try AnnotateRequest(Array(body.utf8))
      #expect(request.items.map(\.features) == [read], "\(features)")
    }
  }

  @Test func `images of one call share its deadline`() throws {
    let start = ContinuousClock.now
    let deadline = CallDeadline(.seconds(5), from: start)
    #expect(try deadline.left(at: start) == .seconds(5))
    #expect(try deadline.left(at: start + .seconds(2)) == .seconds(3))
    for time in [Duration.seconds(5), .seconds(9)] {
      let refusal = #expect(throws: Refusal.self) { try deadline.left(at: start + time) }
      #expect(refusal?.code == "deadline-exceeded")
      #expect(refusal?.message.contains("within 5000 ms") == true)
    }
  }

  @Test func `Cloud Vision has the error of one image inside the response`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    try await RunningInference.run { server in
      let body = """
        {"requests": [
          {"image": {"content": "\(image)"},
           "features": [{"type": 19, "maxResults": 1}, {"type": "LABEL_DETECTION"}]},
          {"image": {"source": {"imageUri": "http://169.254.169.254/"}}, "features": [{"type": 19}]},
          {"image": {"content": "\(image)"}, "features": [{"type": "FACE_DETECTION"}, {"type": 19}]}]}
        """
      let answer = try Self.json(server.post("/v1/images:annotate?$alt=json;enum-encoding=int", body))
      let parts = try #require(answer["responses"] as? [[String: Any]])
      let objects = try #require(parts[0]["localizedObjectAnnotations"] as? [[String: Any]])
      #expect(objects.count == 1 && objects[0]["name"] as? String == "cup")
      let labels = try #require(parts[0]["labelAnnotations"] as? [[String: Any]])
      #expect(labels.first?["description"] as? String == "Home good")
      for part in parts[1...] { #expect((part["error"] as? [String: Any])?["code"] as? Int == 3) }
      #expect(parts[1]["localizedObjectAnnotations"] == nil)
      #expect((parts[2]["localizedObjectAnnotations"] as? [[String: Any]])?.isEmpty == false)
      let empty = try server.post("/v1/images:annotate", #"{"requests": []}"#)
      #expect(empty.status == 400)
      let error = try #require(Self.json(empty)["error"] as? [String: Any])
      #expect(error["status"] as? String == "INVALID_ARGUMENT")
    }
  }
}
#endif
