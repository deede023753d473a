// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaFormats
import FoveaInference
import FoveaTesting
import Testing

@Suite struct AnalysisTests {
  /// The line without its times, which differ.
  private static func timeless(_ line: String) -> Substring {
    line.prefix(upTo: line.firstRange(of: ", \"milliseconds\"")?.lowerBound ?? line.endIndex)
  }

  @Test func `a response is the line that fovea detect prints, in each form of request`() async throws {
    let bytes = try RunningInference.bytes()
    var options = ObjectDetector.Options()
    options.threads = 1
    let result = try await ObjectDetector(options: options).analyze(.data(bytes))
    var writer = JSONLinesWriter()
    let expected = String(Self.timeless(writer.text(for: DetectionRecord(image: "c.jpg", result))))
    let base64 = Data(bytes).base64EncodedString()
    try await RunningInference.run { server in
      let raw = try server.send("POST", "/v1/detect?name=c.jpg", bytes)
      #expect(raw.status == 200 && raw.headers["server-timing"]?.hasPrefix("queue;dur=") == true)
      #expect(Self.timeless(raw.body) == expected)
      // curl's default content type.
      let typed = try server.send(
        "POST", "/v1/models/default:detect?name=c.jpg",
        headers: ["Content-Type": "application/x-www-form-urlencoded"], bytes)
      #expect(Self.timeless(typed.body) == expected)
      let json = try server.post("/v1/detect", #"{"images": [{"name": "c.jpg", "base64": "\#(base64)"}]}"#)
      #expect(Self.timeless(json.body) == "[" + expected)
      let head = "--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"c.jpg\"\r\n\r\n"
      let form = try server.send(
        "POST", "/v1/detect", headers: ["Content-Type": "multipart/form-data; boundary=X"],
        Array(head.utf8) + bytes + Array("\r\n--X--\r\n".utf8))
      #expect(Self.timeless(form.body) == expected)
      let lines = try server.send("POST", "/v1/detect?name=c.jpg&format=csv", bytes)
      #expect(lines.body.hasPrefix("image,width,height"))
      let labels = try server.send("POST", "/v1/label?model=coarse&max-labels=1", bytes)
      #expect(labels.status == 200 && labels.body.contains("Home good"))
      let models = try server.send("GET", "/v1/models/coarse")
      #expect(models.body.contains("\"task\": \"label\"") && models.body.contains("AVAILABLE"))
    }
  }

  @Test func `a call can disable the tiles of the configuration`() async throws {
    let bytes = try RunningInference.bytes()
    var options = ObjectDetector.Options()
    options.threads = 1
    let result = try await ObjectDetector(options: options).analyze(.data(bytes))
    var writer = JSONLinesWriter()
    let expected = String(Self.timeless(writer.text(for: DetectionRecord(image: "c.jpg", result))))
    let body = #"{"images": [{"name": "c.jpg", "base64": "\#(Data(bytes).base64EncodedString())"}], "#
    var entry = ModelEntry.embedded
    entry.settings = try ModelSettings(["slice": .flag(true)])
    try await RunningInference.run([entry]) { server in
      let tiles = try server.send("POST", "/v1/detect?name=c.jpg", bytes)
      #expect(tiles.status == 200 && Self.timeless(tiles.body) != expected)
      let plain = try server.send("POST", "/v1/detect?name=c.jpg&slice=false", bytes)
      #expect(Self.timeless(plain.body) == expected)
      let json = try server.post("/v1/detect", body + #""parameters": {"slice": false}}"#)
      #expect(Self.timeless(json.body) == "[" + expected)
    }
  }

  @Test func `one bad image of several has its error, and the others their objects`() async throws {
    let base64 = Data(try RunningInference.bytes()).base64EncodedString()
    try await RunningInference.run { server in
      let answer = try server.post(
        "/v1/detect",
        #"{"images": [{"base64": "\#(base64)"}, {"base64": "aGVsbG8="}], "parameters": {"single": true}}"#)
      let list = try #require(
        JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [[String: Any]])
      #expect(answer.status == 200 && list.count == 2)
      #expect((list[0]["objects"] as? [Any])?.count == 1)
      #expect((list[1]["error"] as? [String: Any])?["code"] as? String == "image-unknown-format")
    }
  }

  @Test(arguments: [40, 48, 64])
  func `the maximum number of images per request is answered by few idle slots`(
    count: Int
  ) async throws {
    // A text that is not an image is answered as fast as possible, and keeps its place in the list.
    let image = #"{"base64": "aGVsbG8=", "name": "IMAGE"}"#
    let images = (0..<count).map { image.replacing("IMAGE", with: "\($0).jpg") }
    let head = "--X\r\nContent-Disposition: form-data; name=\"image\"; filename=\""
    let parts = (0..<count).map { head + "\($0).jpg\"\r\n\r\nhello\r\n" }
    try await RunningInference.run([.embedded], { $0.slots = 2 }) { server in
      #expect(server.service.scheduler.places == 32)
      let answers = [
        try server.post("/v1/detect", "{\"images\": [\(images.joined(separator: ","))]}"),
        try server.post(
          "/v1/detect", parts.joined() + "--X--\r\n", type: "multipart/form-data; boundary=X"),
      ]
      for answer in answers {
        let list = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [[String: Any]]
        #expect(answer.status == 200, "\(answer.body)")
        #expect(list?.map { $0["image"] as? String } == (0..<count).map { "\($0).jpg" })
      }
      let scheduler = server.service.scheduler
      #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
    }
  }

  struct Mixed: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether each one is an image.
    let images: [Bool]
    /// The start of the message; nil for success.
    var message: String?
    var testDescription: String { name }
  }

  static let mixed = [
    Mixed(name: "all well", images: [true, true]),
    Mixed(name: "the first", images: [false, true], message: "Image 1 of 2: "),
    Mixed(name: "the last two", images: [true, false, false], message: "Image 2 of 3: "),
    Mixed(name: "all", images: [false, false], message: "Image 1 of 2: "),
  ]

  @Test func `CSV cannot hold errors, and is rejected with that of the first bad image`() async throws {
    let photo = Data(try RunningInference.bytes()).base64EncodedString()
    try await RunningInference.run { server in
      for row in Self.mixed {
        let images = row.images.map { "{\"base64\": \"\($0 ? photo : "aGVsbG8=")\"}" }.joined(
          separator: ",")
        let answer = try server.post("/v1/detect?format=csv", "{\"images\": [\(images)]}")
        guard let message = row.message else {
          #expect(answer.status == 200 && answer.body.hasPrefix("image,width,height"), "\(row)")
          continue
        }
        #expect(
          answer.status == 415 && answer.errorCode == "image-unknown-format", "\(row): \(answer.body)")
        #expect(answer.body.contains("\"message\": \"\(message)"), "\(row): \(answer.body)")
        let remedy = "Use format=json or jsonl, which have an entry for each image\""
        #expect(answer.body.contains(remedy), "\(row): \(answer.body)")
      }
    }
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    let name: String
    var target = "/v1/detect"
    var type = "image/jpeg"
    var body: [UInt8]?
    let status: Int
    let code: String
    var testDescription: String { name }
  }

  /// One black pixel.
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff]
    + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]

  /// A form with a field, and with a file that is not an image.
  private static func form(_ name: String, _ value: String) -> [UInt8] {
    let field = "--X\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    let file = "--X\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a.jpg\"\r\n\r\nhello\r\n"
    return Array((field + file + "--X--\r\n").utf8)
  }

  static let bad: [Bad] = [
    Bad(name: "no body", body: [], status: 400, code: "request-empty"),
    Bad(name: "text", body: Array("hello".utf8), status: 415, code: "image-unknown-format"),
    Bad(name: "a PDF", body: Array("%PDF-1.7\n".utf8), status: 415, code: "image-unknown-format"),
    Bad(name: "SVG", body: Array("<svg xmlns=\"x\"/>".utf8), status: 415, code: "image-unknown-format"),
    Bad(name: "HTML", body: Array("<!doctype html>".utf8), status: 415, code: "image-unknown-format"),
    Bad(
      name: "a video", body: [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0], status: 415,
      code: "image-unknown-format"),
    Bad(name: "a format that is off", body: gif, status: 415, code: "image-format-off"),
    Bad(name: "unknown option", target: "/v1/detect?treshold=0.5", status: 400, code: "option-unknown"),
    Bad(name: "threshold of 2", target: "/v1/detect?threshold=2", status: 400, code: "option-invalid"),
    Bad(
      name: "threshold that is no number", target: "/v1/detect?threshold=nan", status: 400,
      code: "option-invalid"),
    Bad(
      name: "option twice", target: "/v1/detect?threshold=0.5&threshold=0.6", status: 400,
      code: "option-invalid"),
    Bad(name: "two lists", target: "/v1/detect?allow=cup&deny=dog", status: 400, code: "option-invalid"),
    Bad(name: "unknown label", target: "/v1/detect?allow=unicorn", status: 400, code: "option-invalid"),
    Bad(
      name: "region outside", target: "/v1/detect?roi=9000,9000,10,10", status: 400, code: "option-invalid"),
    Bad(name: "region of three", target: "/v1/detect?roi=1,2,3", status: 400, code: "option-invalid"),
    Bad(
      name: "a field with 100,000 labels", type: "multipart/form-data; boundary=X",
      body: form("allow", "cup" + String(repeating: ",cup", count: 99_999)), status: 400,
      code: "option-invalid"),
    Bad(name: "unknown model", target: "/v1/detect?model=coarsee", status: 404, code: "model-unknown"),
    Bad(name: "detector asked to label", target: "/v1/label", status: 400, code: "task-mismatch"),
    Bad(
      name: "classifier asked to detect", target: "/v1/models/coarse:detect", status: 400,
      code: "task-mismatch"),
    Bad(
      name: "JSON that ends", type: "application/json", body: Array(#"{"images": [{"#.utf8), status: 400,
      code: "request-malformed"),
    Bad(
      name: "JSON without images", type: "application/json", body: Array("{}".utf8), status: 400,
      code: "request-malformed"),
    Bad(
      name: "an address", type: "application/json",
      body: Array(#"{"images": [{"url": "http://169.254.169.254/"}]}"#.utf8), status: 400,
      code: "url-not-fetched"),
    Bad(
      name: "bad base64", type: "application/json", body: Array(#"{"images": [{"base64": "a*"}]}"#.utf8),
      status: 400, code: "request-malformed"),
    Bad(
      name: "a member twice", type: "application/json",
      body: Array(#"{"images": [{"base64": "aGk="}], "images": [{"base64": "aGk="}]}"#.utf8), status: 400,
      code: "request-malformed"),
    Bad(
      name: "form without boundary", type: "multipart/form-data", body: Array("--X--".utf8), status: 400,
      code: "request-malformed"),
    Bad(
      name: "form without a file", type: "multipart/form-data; boundary=X", body: Array("--X--".utf8),
      status: 400, code: "request-empty"),
    Bad(
      name: "65 images", type: "application/json",
      body: Array(
        ("{\"images\": [" + Array(repeating: #"{"base64": "aGVs"}"#, count: 65).joined(separator: ",")
          + "]}").utf8), status: 413, code: "request-too-large"),
    Bad(name: "unknown route", target: "/v1/detection", status: 404, code: "route-unknown"),
  ]

  @Test func `a bad request is rejected with its reason, and the next one is answered`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run { server in
      for row in Self.bad {
        let answer = try server.send(
          "POST", row.target, headers: ["Content-Type": row.type], row.body ?? photo)
        #expect(answer.status == row.status && answer.errorCode == row.code, "\(row.name): \(answer.body)")
      }
      let text = try server.send("POST", "/v1/detect", Array("hello".utf8)).body
      #expect(text.contains("Give a JPEG, PNG or WebP image"), "\(text)")
      #expect(
        try server.send("POST", "/v1/detect", Self.gif).body.contains("Convert it to JPEG, PNG or WebP"))
      let half = try server.send("POST", "/v1/detect", Array(photo.prefix(photo.count / 3)))
      #expect(half.status == 422 && half.errorCode == "image-truncated")
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
    }
  }

  @Test func `a client that leaves frees its slot`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run { server in
      // Fewer than may wait, so that the next one is answered even before their disconnection is noticed.
      for _ in 0..<12 {
        let connection = try RawConnection(port: server.port)
        connection.send(
          Array(
            "POST /v1/detect?slice HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(photo.count)\r\n\r\n"
              .utf8)
            + photo)
      }
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
      let scheduler = server.service.scheduler
      blockUntil { scheduler.counts.running == 0 && scheduler.counts.waiting == 0 }
      #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
    }
  }

  @Test func `DeepStack's clients get their own form`() async throws {
    let photo = try RunningInference.bytes()
    let head = "--X\r\nContent-Disposition: form-data; name=\"image\"; filename=\"c\"\r\n\r\n"
    let field = "\r\n--X\r\nContent-Disposition: form-data; name=\"min_confidence\"\r\n\r\n0.3\r\n--X--\r\n"
    let body = Array(head.utf8) + photo + Array(field.utf8)
    try await RunningInference.run { server in
      for target in ["/v1/vision/detection", "/v1/vision/custom/default"] {
        let answer = try server.send(
          "POST", target, headers: ["Content-Type": "multipart/form-data; boundary=X"], body)
        let object = try #require(
          JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
        let first = (object["predictions"] as? [[String: Any]])?.first
        #expect(answer.status == 200 && object["success"] as? Bool == true)
        #expect(first?["label"] as? String == "cup" && first?["x_min"] as? Int != nil)
      }
      let scene = try server.send(
        "POST", "/v1/vision/scene", headers: ["Content-Type": "image/jpeg"], photo)
      #expect(scene.status == 200 && scene.body.contains("\"label\": \"Home good\""), "\(scene.body)")
      let bad = try server.send(
        "POST", "/v1/vision/detection", headers: ["Content-Type": "image/jpeg"], Array("hello".utf8))
      #expect(bad.status == 400 && bad.body.contains("\"success\": false"))
      let list = try server.send("POST", "/v1/vision/custom/list")
      #expect(list.body.contains("\"default\"") && !list.body.contains("coarse"))
    }
  }
}
#endif
