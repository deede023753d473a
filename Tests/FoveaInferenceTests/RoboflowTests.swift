// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaInference

@Suite struct RoboflowTests {
  private static func json(_ answer: HTTPAnswer) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
  }

  @Test func `a box has its centre, and a list of images a list of answers`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    let one = #"{"type": "base64", "value": "\#(image)"}"#
    try await RunningInference.run { server in
      let answer = try Self.json(
        server.post(
          "/infer/object_detection",
          #"{"model_id": "default", "image": \#(one), "confidence": 0.3, "max_detections": 1, "api_key": "x"}"#
        ))
      let found = try #require(answer["predictions"] as? [[String: Any]])
      #expect(found.count == 1 && found[0]["class"] as? String == "cup")
      let size = try #require(answer["image"] as? [String: Any])
      let (x, width) = (found[0]["x"] as? Double ?? -1, found[0]["width"] as? Double ?? -1)
      #expect(x - width / 2 >= 0 && x + width / 2 <= size["width"] as? Double ?? 0)
      let list = try server.post(
        "/infer/classification", #"{"model_id": "coarse", "image": [\#(one), \#(one)]}"#)
      let answers = try #require(
        JSONSerialization.jsonObject(with: Data(list.body.utf8)) as? [[String: Any]])
      #expect(answers.count == 2 && answers[0]["top"] as? String == "Home good")
      let models = try Self.json(server.send("GET", "/model/registry?api_key=None"))
      #expect((models["models"] as? [[String: Any]])?.first?["input_width"] is NSNull)
      #expect(try server.post("/model/add", #"{"model_id": "coarse"}"#).status == 200)
      #expect(try server.post("/model/remove", #"{"model_id": "coarse"}"#).status == 200)
      #expect(try server.send("GET", "/v1/models/coarse").body.contains("ready"))
    }
  }

  private static func ids(_ answer: HTTPAnswer) throws -> [String] {
    let listed = try #require(json(answer)["models"] as? [[String: Any]])
    return listed.compactMap { $0["model_id"] as? String }
  }

  @Test func `the models of an answer have the id that was asked for`() async throws {
    let models = [
      ModelEntry.embedded, ModelEntry(name: "coarse", source: .embedded(.classifier)),
      ModelEntry(name: "objects/7", source: .embedded(.detector)),
    ]
    try await RunningInference.run(models) { server in
      // An id, and those that are listed with it beside the names of the models.
      let rows: [(id: String, further: [String])] = [
        ("default/1", ["default/1"]), ("default/0", ["default/0"]), ("coarse/1", ["coarse/1"]),
        ("default", []), ("objects/7", []),
      ]
      for row in rows {
        for path in ["/model/add", "/model/remove"] {
          let listed = try Self.ids(server.post(path, #"{"model_id": "\#(row.id)"}"#))
          #expect(
            listed.contains(row.id) && Set(listed).count == listed.count, "\(path) \(row.id): \(listed)")
          let others = Set(["default", "coarse", "objects/7"])
          #expect(Set(listed).subtracting(others) == Set(row.further), "\(path) \(row.id): \(listed)")
        }
      }
      let classifier = try Self.json(server.post("/model/add", #"{"model_id": "coarse/1"}"#))
      let listed = try #require(classifier["models"] as? [[String: Any]])
      let added = listed.first { $0["model_id"] as? String == "coarse/1" }
      #expect(added?["task_type"] as? String == "classification")
      for id in ["default/2", "objects/8", "objects", "other/1", "/1", "default/", ""] {
        #expect(try server.post("/model/add", #"{"model_id": "\#(id)"}"#).status == 404, "\(id)")
      }
      #expect(try !Self.ids(server.send("GET", "/model/registry")).contains("default/1"))
    }
  }

  /// A call at `/PROJECT/VERSION`, its status, and a part of its response.
  private struct Path {
    let target: String
    var status = 200
    let text: String
  }

  private static let paths = [
    Path(target: "/default/1?api_key=x&confidence=30", text: #""class": "cup""#),
    Path(
      target: "/default/1?confidence=0.3&overlap=30&labels=on&stroke=5&format=json",
      text: #""class": "cup""#),
    Path(target: "/default/1?confidence=99", text: #""predictions": []"#),
    Path(target: "/default/1?confidence=30&classes=dog", text: #""predictions": []"#),
    Path(target: "/default/1?confidence=30&max_detections=1&source=x", text: #""class": "cup""#),
    Path(target: "/objects/7?confidence=30", text: #""class": "cup""#),
    Path(target: "/default/1?confidence=30&format=image_and_json", text: #""visualization": "/9j/"#),
    Path(target: "/coarse/1?confidence=0", text: #""top": "Home good""#),
    Path(target: "/default/2", status: 404, text: "has only the version 1, not '2'"),
    Path(target: "/objects/8", status: 404, text: "There is no model 'objects/8'"),
    Path(
      target: "/default/1?confidence=101", status: 400,
      text: "'confidence' is '101'; it must be 0…1, or a percentage"),
    // The last value would apply, and the others would have no effect.
    Path(
      target: "/default/1?confidence=40&confidence=70", status: 400,
      text: "The option 'confidence' is given twice"),
    Path(
      target: "/default/1?classes=cup&classes=spoon", status: 400,
      text: "The option 'classes' is given twice. Give it only once, with commas between the classes"),
    Path(
      target: "/default/1?classes=cup&class_filter=cup", status: 400,
      text: "The option 'classes' is given twice"),
    Path(
      target: "/default/1?iou_threshold=0.3&overlap=30", status: 400,
      text: "The option 'overlap' is given twice"),
    Path(target: "/default/1?source=a&source=b", status: 400, text: "The option 'source' is given twice"),
    Path(
      target: "/default/1?api_key=x&key=y&api_key=z&confidence=30&classes=cup,spoon",
      text: #""class": "cup""#),
    Path(target: "/default/1?confidence=much", status: 400, text: "'confidence' is 'much'"),
    Path(target: "/default/1?confidence=30&max_detections=100000", text: #""class": "cup""#),
    Path(
      target: "/default/1?max_detections=abc", status: 400,
      text: "The option 'max_detections' is 'abc'; it must be 1…100000"),
    Path(target: "/default/1?max_detections=", status: 400, text: "'max_detections' is ''"),
    Path(target: "/default/1?max_detections=0", status: 400, text: "'max_detections' is '0'"),
    Path(target: "/default/1?max_detections=-1", status: 400, text: "'max_detections' is '-1'"),
    Path(target: "/default/1?max_detections=1.5", status: 400, text: "'max_detections' is '1.5'"),
    Path(target: "/default/1?max_detections=1e3", status: 400, text: "'max_detections' is '1e3'"),
    Path(target: "/default/1?max_detections=0x10", status: 400, text: "'max_detections' is '0x10'"),
    Path(target: "/default/1?max_detections=nan", status: 400, text: "'max_detections' is 'nan'"),
    Path(target: "/default/1?max_detections=100001", status: 400, text: "'max_detections' is '100001'"),
    Path(
      target: "/default/1?max_detections=99999999999999999999", status: 400,
      text: "'max_detections' is '99999999999999999999'"),
    Path(target: "/default/1?confidance=40", status: 400, text: "Did you mean 'confidence'?"),
    Path(target: "/default/1?image=http://127.0.0.1/a.jpg", status: 400, text: "does not fetch images"),
    Path(
      target: "/default/1?format=image&stroke=5", status: 400, text: "'stroke' is '5', which is not supported"
    ),
    Path(
      target: "/default/1?format=gif", status: 400,
      text: "'format' is 'gif'. Use json, image or image_and_json, or omit it"),
    Path(target: "/default/1?image_type=numpy", status: 400, text: "'image_type' is 'numpy'"),
    Path(
      target: "/default/1?disable_preproc_auto_orient=True", status: 400,
      text: "'disable_preproc_auto_orient' is 'True', which is not supported"),
  ]

  @Test func `the URL in Roboflow's documentation accepts an image in each of its forms`() async throws {
    let photo = try RunningInference.bytes()
    let base64 = Data(photo).base64EncodedString()
    let head = "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"c.jpg\"\r\n\r\n"
    let form = Array(head.utf8) + photo + Array("\r\n--X--\r\n".utf8)
    let bodies: [(type: String, bytes: [UInt8])] = [
      ("multipart/form-data; boundary=X", form), ("application/x-www-form-urlencoded", Array(base64.utf8)),
      ("image/jpeg", photo), ("", photo),
      ("text/plain", Array(("data:image/jpeg;base64," + base64 + "\n").utf8)),
    ]
    let models = [
      ModelEntry.embedded, ModelEntry(name: "coarse", source: .embedded(.classifier)),
      ModelEntry(name: "objects/7", source: .embedded(.detector)),
    ]
    try await RunningInference.run(models) { server in
      for path in Self.paths {
        let answer = try server.send(
          "POST", path.target, headers: ["Content-Type": "multipart/form-data; boundary=X"], form)
        #expect(answer.status == path.status, "\(path.target): \(answer.body.prefix(300))")
        #expect(answer.body.contains(path.text), "\(path.target): \(answer.body.prefix(300))")
        if path.status != 200 { #expect(answer.body.hasPrefix(#"{"message": "#), "\(path.target)") }
      }
      for body in bodies {
        let headers = body.type.isEmpty ? [:] : ["Content-Type": body.type]
        let answer = try server.send("POST", "/default/1?confidence=30", headers: headers, body.bytes)
        #expect(
          answer.status == 200 && answer.body.contains(#""class": "cup""#), "\(body.type): \(answer.body)")
      }
      let drawn = try server.sendForBytes("POST", "/default/1?format=image", photo)
      #expect(drawn.answer.status == 200 && drawn.bytes.starts(with: [0xFF, 0xD8]))
      #expect(try server.send("POST", "/default/1", Array("hello world".utf8)).status == 400)
      let escaped = try server.send("POST", "/v1/models/objects%2F7:detect", photo)
      #expect(escaped.status == 200 && escaped.body.contains("cup"))
      let one = #"{"type": "base64", "value": "\#(base64)"}"#
      for id in ["objects/7", "default/1", "default"] {
        let answer = try server.post(
          "/infer/object_detection", #"{"model_id": "\#(id)", "image": \#(one), "confidence": 0.3}"#)
        #expect(answer.status == 200 && answer.body.contains("cup"), "\(id): \(answer.body)")
      }
    }
  }

  /// A number, and the fraction in a URL and in JSON; nil for a refusal.
  @Test(
    arguments: [
      ("0", 0, 0), ("0.4", 0.4, 0.4), ("40", 0.4, 0.4), ("1", 0.01, 1), ("1.5", 0.015, 0.015), ("100", 1, 1),
      ("100.5", nil, nil), ("-0.1", nil, nil), ("1e999", nil, nil),
    ] as [(String, Double?, Double?)])
  func `a fraction may be a percentage`(_ number: String, _ inURL: Double?, _ inJSON: Double?) {
    #expect((try? RoboflowSelection.part("overlap", number)) == inURL)
    let body = #"{"image": {"value": "aGVs"}, "iou_threshold": \#(number), "confidence": \#(number)}"#
    let selection = try? RoboflowRequest(Array(body.utf8), needsImage: true).selection
    #expect(selection?.overlap == inJSON && selection?.confidence == inJSON.map { Float($0) })
  }

  @Test func `boxes overlap no more than a call allows`() {
    func object(_ x: Double, _ score: Float, _ name: String) -> DetectedObject {
      DetectedObject(
        box: BoundingBox(x: x, y: 0, width: 10, height: 10), score: score,
        labels: [Label(text: name, index: 0, confidence: score)])
    }
    // Half of each is in the next: an IoU of a third.
    let objects = [object(0, 0.9, "a"), object(5, 0.8, "a"), object(5, 0.7, "b"), object(30, 0.6, "b")]
    func scores(_ change: (inout RoboflowSelection) -> Void) -> [Float] {
      var selection = RoboflowSelection()
      change(&selection)
      let findings = DetectionRecord.Findings(
        size: PixelSize(width: 100, height: 10), orientation: .up, content: .objects(objects),
        timings: StageTimings())
      return selection.chosen(findings, among: ["a", "b"]).objects.map(\.score)
    }
    #expect(scores { _ in } == [0.9, 0.8, 0.7, 0.6])
    #expect(scores { $0.overlap = 0.4 } == [0.9, 0.8, 0.7, 0.6])
    #expect(scores { $0.overlap = 0.3 } == [0.9, 0.7, 0.6])
    #expect(scores { $0.isClassAgnostic = true } == [0.9, 0.6])
    #expect(scores { $0.classes = ["b"] } == [0.7, 0.6])
    #expect(
      scores {
        $0.classes = ["b"]
        $0.maximum = 1
      } == [0.7])
  }

  /// A filter of a call, and the results for an image with `cat`, of a model that knows `tabby, cat` as well.
  @Test(
    arguments: [
      (["tabby, cat"], []), (["tabby,cat"], []), (["cat"], ["cat"]), (["dog,cat"], ["cat"]),
      (["tabby, cat,cat"], ["cat"]), ([], []),
    ] as [(Set<String>, [String])])
  func `commas of a filter belong to the model's labels, for any image`(
    _ filter: Set<String>, _ left: [String]
  ) {
    let label = Label(text: "cat", index: 1, confidence: 0.9)
    let box = BoundingBox(x: 0, y: 0, width: 10, height: 10)
    let contents: [DetectionRecord.Findings.Content] = [
      .objects([DetectedObject(box: box, score: 0.9, labels: [label])]), .labels([label]),
    ]
    var selection = RoboflowSelection()
    selection.classes = filter
    for content in contents {
      let findings = DetectionRecord.Findings(
        size: PixelSize(width: 100, height: 10), orientation: .up, content: content,
        timings: StageTimings())
      switch selection.chosen(findings, among: ["tabby, cat", "cat", "dog"]).content {
      case .objects(let objects): #expect(objects.map(\.className) == left)
      case .labels(let labels): #expect(labels.map { $0.text ?? "" } == left)
      case .map: Issue.record("a map was not given")
      }
    }
  }

  @Test func `an invalid call has its message, and the next is answered`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    let good = #"{"model_id": "default", "image": {"type": "base64", "value": "\#(image)"}}"#
    try await RunningInference.run { server in
      for (body, status) in [
        ("", 400), ("[]", 400), ("{}", 400), (#"{"image": {}}"#, 400), (#"{"image": []}"#, 400),
        (#"{"image": {"type": "url", "value": "http://127.0.0.1/a.jpg"}}"#, 400),
        (#"{"image": {"value": "https://127.0.0.1/a.jpg", "type": "url"}}"#, 400),
        (#"{"image": {"type": "numpy", "value": "aGVs"}}"#, 400),
        (#"{"image": {"type": "base64", "value": "aGVsbG8="}}"#, 400),
        (#"{"model_id": "no", "image": {"type": "base64", "value": "aGVs"}}"#, 404),
        (#"{"model_id": "coarse", "image": {"type": "base64", "value": "aGVs"}}"#, 400),
        (#"{"image": {"type": "base64", "value": "aGVs"}, "confidence": 101}"#, 400),
      ] {
        let answer = try server.post("/infer/object_detection", body)
        #expect(answer.status == status, "\(body): \(answer.body)")
        let message = try #require(try Self.json(answer)["message"] as? String, "\(body)")
        #expect(
          message.contains("does not fetch images") == body.contains("127.0.0.1"), "\(body): \(message)")
        #expect(try server.post("/infer/object_detection", good).status == 200, "after \(body)")
      }
    }
  }
}
#endif
