// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaInference
import FoveaTesting
import Testing

/// Nearly correct bodies in each protocol: the response names the member and its value, and the next call is
/// answered.
@Suite struct WrongBodyTests {
  struct Body: Sendable, CustomTestStringConvertible {
    let target: String
    /// IMAGE is an image, BAD a text, both in base64.
    let json: String
    var status = 400
    /// A part of the response.
    let text: String
    var testDescription: String { "\(target) \(json.prefix(300))" }
  }

  private static let infer = "/infer/object_detection"
  private static let vertex = "/v1/projects/p/locations/l/endpoints/default:predict"
  private static let predict = "/v1/models/default:predict"
  private static let tensors = "/v2/models/default/infer"
  private static let annotate = "/v1/images:annotate"

  /// A list with this many copies of one label.
  private static func cups(_ count: Int) -> String { list(of: #""cup""#, count) }

  /// The entries of a list with this many copies of one value.
  private static func list(of value: String, _ count: Int) -> String {
    Array(repeating: value, count: count).joined(separator: ", ")
  }

  /// This many members with different names.
  private static func options(_ count: Int) -> String {
    (1...count).map { #""option\#($0)": 1"# }.joined(separator: ", ")
  }

  /// A list of this many different labels.
  private static func numbers(_ count: Int) -> String {
    (1...count).map { #""\#($0)""# }.joined(separator: ", ")
  }

  /// This many copies of one label, separated by commas.
  private static func commas(_ count: Int) -> String {
    Array(repeating: "cup", count: count).joined(separator: ",")
  }

  /// This many different labels with a confidence.
  private static func confidences(_ count: Int) -> String {
    (1...count).map { #""\#($0)": 50"# }.joined(separator: ", ")
  }

  /// Two labels of 33 kB.
  private static let longLabels = Array(
    repeating: "\"" + String(repeating: "c", count: 33_000) + "\"", count: 2
  ).joined(separator: ", ")

  static let native = [
    Body(
      target: "/v1/detect", json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"allow": ["cup"]}}"#,
      status: 200, text: "cup"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"allow": ["dining table", "cup"]}}"#,
      status: 200, text: "cup"),
    Body(
      target: "/v1/detect?allow=dining%20table&allow=cup,%20dog",
      json: #"{"images": [{"base64": "IMAGE"}]}"#,
      status: 200, text: "cup"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"roi": [0, 0, 600, 400]}}"#,
      status: 200, text: "cup"),
    Body(
      target: "/v1/detect", json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"allow": ["a,b"]}}"#,
      text: "'a' is not a label of"),
    Body(
      target: "/v1/detect", json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"threshold": null}}"#,
      text: "'threshold' is null at line 1"),
    Body(
      target: "/v1/detect", json: #"{"images": [{"base64": "IMAGE", "base64": "BAD"}]}"#,
      text: "the member 'base64' occurs twice"),
    Body(
      target: "/v1/detect", json: #"{"images": [{"base64": "IMAGE"}], "images": []}"#,
      text: "the member 'images' occurs twice"),
    Body(
      target: "/v1/detect", json: #"{"images": [{"base64": "IMAGE"}], "options": {}}"#,
      text: "the body has no member 'options' at line 1"),
    Body(
      target: "/v1/detect", json: #"{"images": [{"data": "IMAGE"}]}"#, text: "an image has no member 'data'"
    ),
    Body(
      target: "/v1/detect", json: #"{"images": [{"base64": "data:image/jpeg"}]}"#,
      text: "a 'data:' URL has no comma"),
    Body(
      target: "/v1/detect?allow=unicorn", json: #"{"images": [{"base64": "IMAGE"}, {"base64": "IMAGE"}]}"#,
      status: 200, text: "'unicorn' is not a label of 'default'"),
    Body(
      target: "/v1/detect", json: #"{"images": [\#(list(of: #"{"base64": "AA=="}"#, 1_001))]}"#,
      text: "a list of images has more than 1,000 entries at line 1"),
    Body(
      target: "/v1/detect", json: #"{"images": [\#(list(of: #"{"base64": "AA=="}"#, 65))]}"#,
      status: 413, text: "The request has 65 images, 64 are allowed"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {\#(options(1_001))}}"#,
      text: "an object of options has more than 1,000 members"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"allow": [\#(cups(1_000))]}}"#,
      status: 200, text: "cup"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"allow": [\#(cups(1_001))]}}"#,
      text: "The option 'allow' has more than 1,000 labels"),
    // Each label once copied all previous ones: a body of 1 MB took minutes.
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"deny": [\#(cups(20_000))]}}"#,
      text: "The option 'deny' has more than 1,000 labels"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"allow": "\#(commas(10_000))"}}"#,
      status: 200, text: "cup"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"deny": "\#(commas(10_001))"}}"#,
      text: "The option 'deny' has more than 10,000 parts between commas"),
    Body(
      target: "/v1/detect?allow=\(commas(1_001))", json: #"{"images": [{"base64": "IMAGE"}]}"#,
      status: 200, text: "cup"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"allow": [\#(longLabels)]}}"#,
      text: "The option 'allow' has more than 65,536 bytes"),
    Body(
      target: "/v1/detect?allow=cup,,dog", json: #"{"images": [{"base64": "IMAGE"}]}"#,
      text: "no label of 'default' has a comma at its place"),
    Body(
      target: "/v1/detect",
      json: #"{"images": [{"base64": "IMAGE"}], "parameters": {"allow": ["cup"], "deny": ["dog"]}}"#,
      text: "The options 'allow' and 'deny' exclude each other"),
  ]

  static let others = [
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "confidence": "much"}"#,
      text: "'confidence' is 'much' at line 1"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "confidence": [1]}"#,
      text: "'confidence' is not a number"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "confidence": "0.99"}"#, status: 200,
      text: #""predictions": []"#),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "confidence": 100.5}"#,
      text: "'confidence' is '100.5'; it must be 0…1, or a percentage up to 100"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "confidence": -1}"#,
      text: "'confidence' is '-1'; it must be 0…1, or a percentage"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "iou_threshold": 101}"#,
      text: "'iou_threshold' is '101'; it must be 0…1, or a percentage"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "confidence": 30, "iou_threshold": 30}"#,
      status: 200, text: #""class": "cup""#),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "confidence": 99}"#, status: 200,
      text: #""predictions": []"#),
    // Not one percent.
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "confidence": 1}"#, status: 200,
      text: #""predictions": []"#),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "max_detections": 1.5}"#,
      text: "'max_detections' is 1.5; it must be a whole number from 1"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "model_id": 3}"#,
      text: "'model_id' is not a string"),
    Body(
      target: infer,
      json: #"{"image": {"value": "IMAGE"}, "class_filter": [\#(numbers(1_001))]}"#,
      text: "'class_filter' has more than 1,000 classes"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "class_filter": ["\#(commas(10_001))"]}"#,
      text: "'class_filter' has more than 10,000 parts between commas"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "class_filter": [\#(longLabels)]}"#,
      text: "'class_filter' has more than 65,536 bytes"),
    Body(
      target: "/default/1?classes=\(commas(1_001))", json: "IMAGE", status: 200, text: "predictions"),
    Body(
      target: infer, json: #"{"image": [{"value": "IMAGE"}, {"value": "BAD"}]}"#, text: "Image 2 of 2: "),
    Body(target: "/model/clear", json: "", status: 200, text: "model_id"),
    Body(
      target: vertex,
      json: #"{"instances": [{"content": "IMAGE"}], "parameters": {"confidenceThreshold": "x"}}"#,
      text: "'confidenceThreshold' is 'x' at line 1"),
    Body(
      target: vertex, json: #"{"instances": [{"content": "IMAGE"}], "parameters": {"maxPredictions": 0}}"#,
      text: "'maxPredictions' is 0; it must be a whole number from 1"),
    Body(
      target: vertex, json: #"{"instances": [{"content": "BAD"}, {"content": "IMAGE"}]}"#,
      text: "Image 1 of 2: "),
    Body(
      target: vertex, json: #"{"instances": [{"content": "IMAGE"}], "instances": [{"content": "IMAGE"}]}"#,
      text: "the member 'instances' occurs twice"),
    Body(
      target: predict, json: #"{"instances": [{"image_bytes": {"b64": "IMAGE"}, "key": 1}]}"#,
      text: "'key' is not a string"),
    Body(
      target: predict,
      json: #"{"instances": [{"image_bytes": {"b64": "IMAGE"}}, {"image_bytes": {"b64": "BAD"}}]}"#,
      text: "Image 2 of 2: "),
    Body(
      target: predict,
      json:
        #"{"instances": [{"image_bytes": {"b64": "IMAGE"}}], "inputs": {"image_bytes": {"b64": "IMAGE"}}}"#,
      text: "both 'instances' and 'inputs' are given"),
    Body(
      target: predict, json: #"{"inputs": {"image_bytes": [{"b64": "IMAGE"}], "key": ["a", "b"]}}"#,
      text: "'inputs' has 1 image and 2 keys"),
    Body(
      target: predict, json: #"{"inputs": {"image_bytes": {"b64": "IMAGE"}}}"#, status: 200,
      text: #"{"outputs": {"detection_boxes": [[["#),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "detect": []}"#,
      text: "expected an object of labels, got an array"),
    Body(
      target: "/detect",
      json: #"{"data": "IMAGE", "detect": {\#(confidences(1_001))}}"#,
      text: "'detect' has more than 1,000 labels"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "detect": {"cup": 30, "dgo": 50}}"#,
      text: "'dgo' is not a label of 'default'"),
    Body(
      target: "/detect",
      json: #"{"data": "IMAGE", "detect": {"*": 30}, "regions": [{"detect": {"unicorn": 50}}]}"#,
      text: "'unicorn' is not a label of 'default'"),
    Body(
      target: "/image", json: #"{"data": "IMAGE", "detect": {"cup,dog": 50}}"#,
      text: "'cup,dog' is not a label of 'default'"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "detect": {"cup": 101}}"#,
      text: "the confidence of 'cup' is 101"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "class_filter": ["cup", "Cup"]}"#,
      text: "'Cup' is not a label of 'default' (the nearest is 'cup')"),
    Body(
      target: "/default/1?classes=cup,unicorn", json: "IMAGE", text: "'unicorn' is not a label of 'default'"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "detect": {"cup": "50"}}"#,
      text: "the confidence of 'cup' is not a number"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "detector_name": 7}"#,
      text: "'detector_name' is not a string"),
    Body(
      target: tensors, json: #"{"inputs": []}"#, text: "expects one input, 'image', but the request has none."
    ),
    Body(
      target: tensors, json: #"{"inputs": [{"name": "image", "shape": [1], "data": ["IMAGE"]}]}"#,
      text: "the request has no 'datatype'"),
    Body(
      target: tensors,
      json:
        #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["IMAGE"]}], "parameters": {"timeout": -1}}"#,
      text: "'timeout' is -1; it must be 0 or more"),
    Body(
      target: tensors,
      json:
        #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["IMAGE"]}], "parameters": {"timeout": 1}}"#,
      status: 504, text: "not ready within 0.001 ms"),
    Body(
      target: annotate,
      json:
        #"{"requests": [{"image": {"content": "IMAGE"}, "features": [{"type": 19, "model": "unicorn"}]}]}"#,
      status: 200, text: #"{"code": 5, "message": "There is no model 'unicorn'"#),
    Body(
      target: annotate,
      json:
        #"{"requests": [{"image": {"content": "IMAGE"}, "features": [{"type": 19, "model": "a"}, {"type": 19}]}]}"#,
      status: 200, text: #"{"code": 3, "message": "The features '19' name different models"#),
    Body(
      target: annotate,
      json:
        #"{"requests": [{"image": {"content": "IMAGE"}, "features": [{"type": 19, "model": "builtin/stable", "maxResults": "1"}]}]}"#,
      status: 200, text: "cup"),
    Body(
      target: annotate,
      json: #"{"requests": [{"image": {"content": "IMAGE"}, "features": [{"type": 19, "maxResults": -1}]}]}"#,
      text: "'maxResults' is -1; it must be a whole number from 1 at line 1"),
    Body(
      target: annotate,
      json:
        #"{"requests": [{"image": {"content": "IMAGE"}, "features": [{"type": 19, "max_results": 2.5}]}]}"#,
      text: "'maxResults' is 2.5; it must be a whole number from 1 at line 1"),
    Body(
      target: annotate,
      json: #"{"requests": [{"image": {"content": "IMAGE"}, "features": [{"type": 19, "maxResults": 0}]}]}"#,
      status: 200, text: "cup"),
    Body(
      target: predict, json: #"{"inputs": {"image_bytes": [\#(list(of: #"{"b64": "AA=="}"#, 1_001))]}}"#,
      text: "a column has more than 1,000 entries at line 1"),
    Body(
      target: vertex, json: #"{"instances": [\#(list(of: #"{"content": "AA=="}"#, 1_001))]}"#,
      text: "a list of instances has more than 1,000 entries"),
    Body(
      target: tensors, json: #"{"inputs": [\#(list(of: "{}", 1_001))]}"#,
      text: "a list of inputs has more than 1,000 entries"),
    Body(
      target: tensors,
      json: #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [\#(list(of: "1", 1_001))]}]}"#,
      text: "a shape has more than 1,000 entries"),
    Body(
      target: "/v1/models/no/metadata", json: "", status: 404, text: #"{"error": "There is no model 'no'"#),
  ]

  /// Fields that would change a result, and that are not supported: each is rejected by name.
  static let fields = [
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "preprocess": ["grayscale"]}"#,
      text: "'preprocess' at line 1"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "preprocess": [], "throttle": 5}"#, status: 200,
      text: "cup"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "image": "gif"}"#,
      text: "'image' is 'gif' at line 1"),
    Body(target: "/detect", json: #"{"data": "IMAGE", "region": []}"#, text: "did you mean 'regions'?"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "regions": [{"detect": {"*": 1}, "width": 1}]}"#,
      text: "a region has no member 'width'"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "regions": [{"bottom": 120, "detect": {"*": 1}}]}"#,
      text: "'bottom' of a region is 120 at line 1"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "regions": [{"left": -0.1, "detect": {"*": 1}}]}"#,
      text: "; sides are fractions of 0 to 1, not pixels"),
    Body(
      target: "/detect", json: #"{"data": "IMAGE", "regions": [{"top": 0.5}]}"#,
      text: #"; write it as {\"person\": 60"#),
    Body(
      target: annotate, json: #"{"requests": [{"image": {"content": "IMAGE"}, "feature": []}]}"#,
      text: "did you mean 'features'?"),
    Body(
      target: annotate,
      json:
        #"{"requests": [{"image": {"content": "IMAGE"}, "features": [{"type": 19, "minScore": 0.9}]}]}"#,
      text: "a feature has no member 'minScore'"),
    Body(
      target: annotate,
      json:
        #"{"parent": "projects/p", "requests": [{"image": {"content": "IMAGE"}, "features": [{"type": 19, "max_results": 1}], "imageContext": {"languageHints": ["de"]}}]}"#,
      status: 200, text: "cup"),
    Body(
      target: annotate + "?fields=responses", json: #"{"requests": []}"#, text: "'fields' is 'responses'"),
    Body(
      target: vertex,
      json: #"{"instances": [{"content": "IMAGE"}], "parameters": {"confidence_threshold": 1}}"#,
      text: "did you mean 'confidenceThreshold'?"),
    Body(
      target: vertex, json: #"{"instances": [{"content": "IMAGE", "roi": [1]}]}"#,
      text: "has no member 'roi'"),
    Body(
      target: vertex, json: #"{"instances": [{"content": "IMAGE"}], "threshold": 1}"#,
      text: "has no member 'threshold'"),
    Body(
      target: predict,
      json: #"{"instances": [{"image_bytes": {"b64": "IMAGE"}}], "signature_name": "other"}"#,
      text: "'signature_name' is 'other' at line 1"),
    Body(
      target: predict,
      json: #"{"instances": [{"image_bytes": {"b64": "IMAGE"}}], "signature_name": "serving_default"}"#,
      status: 200,
      text: "cup"),
    Body(
      target: predict, json: #"{"instances": [{"image_bytes": {"b64": "IMAGE"}, "threshold": 0.5}]}"#,
      text: "an instance has no member 'threshold'"),
    Body(
      target: "/v1/models/default/versions/7:predict",
      json: #"{"instances": [{"image_bytes": {"b64": "IMAGE"}}]}"#,
      status: 404, text: "has only the version 1, not '7'"),
    Body(
      target: tensors,
      json:
        #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["IMAGE"]}], "parameters": {"treshold": 0.9}}"#,
      text: "did you mean 'threshold'?"),
    Body(
      target: tensors,
      json:
        #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["IMAGE"]}], "parameters": {"sequence_id": 3, "priority": 1}}"#,
      status: 200, text: "boxes"),
    Body(
      target: tensors,
      json:
        #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["IMAGE"]}], "outputs": [{"name": "scores", "parameters": {"classification": 2}}]}"#,
      text: "'parameters' of an output has no member 'classification'"),
    Body(
      target: tensors,
      json:
        #"{"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "parameters": {"shared_memory_region": "r"}}]}"#,
      text: "'parameters' of an input has no member 'shared_memory_region'"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "disable_preproc_auto_orient": true}"#,
      text: "'disable_preproc_auto_orient' at line 1"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "treshold": 1}"#,
      text: "has no member 'treshold'"),
    Body(
      target: infer,
      json:
        #"{"image": {"value": "IMAGE"}, "disable_preproc_contrast": true, "source": "x", "iou_threshold": 0.4, "max_candidates": null}"#,
      status: 200, text: "cup"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "class_filter": ["dog"]}"#, status: 200,
      text: #""predictions": []"#),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "visualize_predictions": true}"#, status: 200,
      text: #""visualization": "/9j/"#),
    Body(
      target: infer,
      json:
        #"{"image": {"value": "IMAGE"}, "visualize_predictions": true, "visualization_labels": true, "visualization_stroke_width": null}"#,
      status: 200, text: #""visualization": "/9j/"#),
    Body(
      target: infer,
      json:
        #"{"image": {"value": "IMAGE"}, "visualization_stroke_width": 20, "visualize_predictions": true}"#,
      text: "'visualization_stroke_width' is '20', which is not supported. The style of boxes and labels is"),
    Body(
      target: infer,
      json: #"{"image": {"value": "IMAGE"}, "visualize_predictions": true, "visualization_labels": false}"#,
      text: "'visualization_labels' is 'false', which is not supported"),
    Body(
      target: infer, json: #"{"image": {"value": "IMAGE"}, "visualization_stroke_width": "abc"}"#,
      text: "'visualization_stroke_width' is 'abc' at line 1"),
    Body(
      target: infer,
      json:
        #"{"image": {"value": "IMAGE"}, "visualization_labels": false, "visualization_stroke_width": 1}"#,
      status: 200, text: "cup"),
  ]

  @Test(arguments: [native, others, fields])
  func `a nearly correct body`(_ bodies: [Body]) async throws {
    let photo = try RunningInference.bytes()
    let image = Data(photo).base64EncodedString()
    let bad = Data("hello".utf8).base64EncodedString()
    try await RunningInference.run([.embedded]) { server in
      for body in bodies {
        let json = body.json.replacing("IMAGE", with: image).replacing("BAD", with: bad)
        let isRead = body.target.hasSuffix("/metadata")
        let answer =
          isRead ? try server.send("GET", body.target) : try server.post(body.target, json)
        #expect(answer.status == body.status, "\(body): \(answer.body.prefix(300))")
        #expect(answer.body.contains(body.text), "\(body): \(answer.body.prefix(300))")
        #expect(try server.send("POST", "/v1/detect", photo).status == 200, "after \(body)")
      }
    }
  }

  @Test func `an image changed by curl explains how to send it`() async throws {
    let photo = Array(try RunningInference.bytes().prefix(5_000))
    try await RunningInference.run([.embedded]) { server in
      let answer = try server.send(
        "POST", "/v1/detect", headers: ["Content-Type": "application/x-www-form-urlencoded"], photo)
      #expect(
        [415, 422].contains(answer.status) && answer.body.contains("--data-binary @FILE"), "\(answer.body)")
      let plain = try server.send("POST", "/v1/detect", photo)
      #expect(answer.status == plain.status && !plain.body.contains("curl"))
    }
  }

  @Test func `DeepStack's clients see the name they sent`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run([.embedded]) { server in
      let head = "--X\r\nContent-Disposition: form-data; name=\"min_confidence\"\r\n\r\n50\r\n"
      let file = "--X\r\nContent-Disposition: form-data; name=\"image\"; filename=\"c.jpg\"\r\n\r\n"
      let answer = try server.send(
        "POST", "/v1/vision/detection", headers: ["Content-Type": "multipart/form-data; boundary=X"],
        Array((head + file).utf8) + photo + Array("\r\n--X--\r\n".utf8))
      #expect(answer.status == 400 && answer.body.contains("'min_confidence' is '50'"), "\(answer.body)")
    }
  }

  @Test func `no response names a file of the server, or an option that its caller cannot set`() async throws
  {
    let folder = try TemporaryFolder()
    let model = PackageRoot.path + "/Sources/C/CEmbeddedModels/models/detector80_int8.tflite"
    try folder.write("m.tflite", try RunningInference.bytes(model))
    try folder.write("bad.tflite", "no model")
    let (path, photo) = (folder.path, try RunningInference.bytes())
    try await RunningInference.run([], { $0.modelFolder = path }) { server in
      for (method, target, text) in [
        ("POST", "/v1/detect?model=m&allow=unicorn", "'unicorn' is not a label of 'm'"),
        ("POST", "/v1/detect?model=bad", "'bad' is not a TFLite model"),
        ("POST", "/v1/models/bad:load", "'bad' is not a TFLite model"),
        ("GET", "/v1/models", "'bad' is not a TFLite model"),
        ("POST", "/v2/repository/index", "'bad' is not a TFLite model"),
        ("POST", "/v1/models/m:rollback", "it is a file"),
        ("POST", "/v1/vision/scene", "No classifier is served"),
      ] {
        let takesPhoto = target.hasPrefix("/v1/detect") || target.hasPrefix("/v1/vision")
        let answer = try server.send(method, target, takesPhoto ? photo : [])
        #expect(answer.body.contains(text), "\(target): \(answer.body.prefix(400))")
        #expect(!answer.body.contains(path) && !answer.body.contains("--"), "\(target): \(answer.body)")
        #expect(!answer.body.contains("fovea model"), "\(target): \(answer.body)")
      }
    }
  }
}
#endif
