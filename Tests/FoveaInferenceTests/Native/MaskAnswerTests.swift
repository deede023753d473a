// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaInference

/// Masks and rotated boxes in the answers of the server.
@Suite struct MaskAnswerTests {
  private static func entry(_ name: String) -> ModelEntry {
    ModelEntry(name: name, source: .file(path(name)))
  }

  private static func path(_ name: String) -> String {
    PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"
  }

  private static let entries = [entry("yolov8_seg"), entry("described_obb"), .embedded]

  /// The line without its times, which differ.
  private static func timeless(_ line: String) -> Substring {
    line.prefix(upTo: line.firstRange(of: ", \"milliseconds\"")?.lowerBound ?? line.endIndex)
  }

  private static func result(of name: String) async throws -> DetectionResult {
    var options = ObjectDetector.Options()
    options.threads = 1
    return try await ObjectDetector(model: .file(path(name)), options: options).analyze(
      .data(RunningInference.bytes()))
  }

  private static func json(_ answer: HTTPAnswer) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
  }

  @Test func `a response has masks in the form of the call, as fovea detect prints them`() async throws {
    let bytes = try RunningInference.bytes()
    var expected: [(target: String, line: String)] = []
    for name in ["yolov8_seg", "described_obb"] {
      let record = DetectionRecord(image: "-", try await Self.result(of: name))
      for form in MaskForm.allCases {
        var writer = JSONLinesWriter()
        writer.masks = form
        let line = String(Self.timeless(writer.text(for: record)))
        #expect(line.contains("\"mask\": ") == (name == "yolov8_seg" && form != .none), "\(name), \(form)")
        #expect(line.contains("\"orientedBox\": ") == (name == "described_obb"), "\(name), \(form)")
        expected.append(("/v1/detect?model=\(name)&masks=\(form.rawValue)", line))
        if form == .rle { expected.append(("/v1/models/\(name):detect", line)) }
      }
    }
    let rows = expected
    let base64 = Data(bytes).base64EncodedString()
    try await RunningInference.run(Self.entries) { server in
      for row in rows {
        let answer = try server.send("POST", row.target, bytes)
        #expect(answer.status == 200 && Self.timeless(answer.body) == row.line, "\(row.target)")
      }
      // Lines of several images are sent one by one.
      let two = "[{\"base64\": \"\(base64)\"}, {\"base64\": \"\(base64)\"}]"
      let lines = try server.post(
        "/v1/detect", #"{"images": \#(two), "parameters": {"masks": "polygon", "format": "jsonl"}}"#)
      #expect(lines.body.components(separatedBy: "\"polygons\": [[").count == 3, "\(lines.body)")
      let bad = try server.send("POST", "/v1/detect?masks=png", bytes)
      #expect(bad.status == 400 && bad.errorCode == "option-invalid")
      #expect(
        bad.body.contains("The option 'masks' is 'png'") && bad.body.contains("Use rle, polygon or none"))
    }
  }

  @Test func `a model has the names and edges of its keypoints, and the least score that is drawn`()
    async throws
  {
    try await RunningInference.run(
      [Self.entry("movenet"), Self.entry("yolov8_seg")], { $0.keypointThreshold = 0.625 }
    ) { server in
      let model = try Self.json(server.send("GET", "/v1/models/movenet"))
      let set = try #require(model["keypointSet"] as? [String: Any])
      #expect(set["name"] as? String == "coco-body")
      #expect((set["points"] as? [String])?.prefix(2) == ["nose", "left eye"])
      #expect((set["edges"] as? [[Int]])?.first == [15, 13] && (set["mirrored"] as? [Int])?[1] == 2)
      #expect(model["keypointThreshold"] as? Double == 0.625)
      let other = try Self.json(server.send("GET", "/v1/models/yolov8_seg"))
      #expect(other["keypointSet"] == nil && other["keypointThreshold"] == nil)
    }
  }

  @Test func `Roboflow's answers have the largest outline of a mask`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    let result = try await Self.result(of: "yolov8_seg")
    let outline = try #require(result.objects.first?.mask?.largestOutline)
    try await RunningInference.run(Self.entries) { server in
      for (route, model) in [
        ("instance_segmentation", "yolov8_seg"), ("object_detection", "yolov8_seg"),
        ("instance_segmentation", "default"),
      ] {
        let answer = try Self.json(
          server.post(
            "/infer/\(route)",
            #"{"model_id": "\#(model)", "image": {"type": "base64", "value": "\#(image)"}}"#))
        let found = try #require((answer["predictions"] as? [[String: Any]])?.first)
        let points = (found["points"] as? [[String: Double]])?.map { [$0["x"] ?? -1, $0["y"] ?? -1] }
        guard model == "yolov8_seg" else {
          #expect(points == nil)
          continue
        }
        #expect(points?.count == outline.count)
        for (point, expected) in zip(points ?? [], outline) {
          #expect(abs(point[0] - expected.x) <= 0.0005 && abs(point[1] - expected.y) <= 0.0005)
        }
      }
    }
  }

  @Test func `a live connection has masks in the form of its settings`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run([Self.entry("yolov8_seg")]) { server in
      let client = try WebSocketClient(port: server.port, path: "/v1/live")
      client.send(.text(#"{"type": "start", "task": "detect"}"#))
      #expect(try client.text(with: "ready")?.contains(#""masks": "rle""#) == true)
      let rows: [(form: String?, part: String?)] = [
        (nil, #""counts": "#), ("polygon", #""polygons": [["#), ("none", nil), ("rle", #""counts": "#),
      ]
      for (number, row) in zip(1..., rows) {
        if let form = row.form {
          client.send(.text(#"{"type": "change", "masks": "\#(form)"}"#))
          #expect(try client.text(with: #""type": "change""#)?.contains(#""masks": "\#(form)""#) == true)
        }
        client.send(WebSocketClient.Frame(2, [UInt8(number), 0, 0, 0, 0, 0, 0, 0] + photo))
        let answer = try client.text(with: "\"sequence\": \(number)") ?? ""
        #expect(answer.contains(#""mask": {"#) == (row.part != nil), "\(answer)")
        if let part = row.part { #expect(answer.contains(part), "\(answer)") }
      }
      client.send(.text(#"{"type": "change", "masks": "png"}"#))
      let refused = try client.text(with: "error") ?? ""
      #expect(refused.contains("'masks' is 'png'") && refused.contains("rle, polygon, none"), "\(refused)")
    }
  }
}
#endif
