// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaFormats
import FoveaImage
import FoveaRender
import FoveaTesting
import Testing

@testable import FoveaInference

/// Answers with maps of classes and with features.
@Suite struct SegmentAnswerTests {
  static func path(_ name: String) -> String { PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite" }

  /// A detector, a segmentation model, an embedder and two classifiers, one of them for its features.
  static func entries() throws -> [ModelEntry] {
    var map = ModelEntry(name: "map", source: .file(path("map_scores")))
    map.settings = try ModelSettings(["normalize": .text("0,255")])
    var features = ModelEntry(name: "features", source: .embedded(.classifier))
    features.settings.task = .embed
    return [
      .embedded, map, ModelEntry(name: "vector", source: .file(path("embedding"))),
      ModelEntry(name: "coarse", source: .embedded(.classifier)), features,
    ]
  }

  /// A photo whose EXIF orientation turns it.
  static func turned() throws -> [UInt8] {
    try RunningInference.bytes(PackageRoot.path + "/Tests/Fixtures/images/turned.jpg")
  }

  static func findings(
    _ bytes: [UInt8], region: BoundingBox? = nil
  ) async throws -> DetectionRecord.Findings {
    var options = ImageSegmenter.Options()
    options.normalization = Normalization(mean: [0], standardDeviation: [255])
    options.threads = 1
    let segmenter = try await ImageSegmenter(model: .file(path("map_scores")), options: options)
    return DetectionRecord.Findings(try await segmenter.analyze(.data(bytes), region: region))
  }

  /// The line that `fovea segment` prints, without its times.
  static func line(
    _ findings: DetectionRecord.Findings, as form: MaskForm = .rle, name: String = "-"
  ) -> String {
    var writer = JSONLinesWriter()
    writer.masks = form
    return timeless(writer.text(for: DetectionRecord(image: name, result: .success(findings))))
  }

  static func timeless(_ line: String) -> String {
    String(line.prefix(upTo: line.firstRange(of: ", \"milliseconds\"")?.lowerBound ?? line.endIndex))
  }

  @Test func `a response is the line that fovea segment prints, in each form of request`() async throws {
    let (photo, turned) = (try RunningInference.bytes(), try Self.turned())
    let found = try await Self.findings(photo)
    let other = try await Self.findings(turned)
    let part = try await Self.findings(photo, region: BoundingBox(x: 10, y: 20, width: 300, height: 200))
    #expect(found.count > 0 && other.orientation != .up)
    let rows: [(target: String, bytes: [UInt8], line: String)] = [
      ("/v1/segment?model=map", photo, Self.line(found)),
      ("/v1/segment?model=map&masks=polygon", photo, Self.line(found, as: .polygon)),
      ("/v1/segment?model=map&masks=none&format=jsonl", photo, Self.line(found, as: .none)),
      ("/v1/models/map:segment?name=c.jpg", photo, Self.line(found, name: "c.jpg")),
      ("/v1/segment?model=map&roi=10,20,300,200", photo, Self.line(part)),
      ("/v1/segment?model=map", turned, Self.line(other)),
      ("/v1/segment?model=map&upright=true", turned, Self.line(other.upright())),
    ]
    let (first, second) = (Data(photo).base64EncodedString(), Data(turned).base64EncodedString())
    let two = #"{"images": [{"base64": "\#(first)", "name": "1"}, {"base64": "\#(second)", "name": "2"}], "#
    let lines = [Self.line(found, name: "1"), Self.line(other, name: "2")]
    try await RunningInference.run(try Self.entries()) { server in
      for row in rows {
        let answer = try server.send("POST", row.target, row.bytes)
        #expect(answer.status == 200 && Self.timeless(answer.body) == row.line, "\(row.target)")
        #expect(answer.body.hasSuffix("}\n") && answer.body.contains("\"milliseconds\": {\"decode\": "))
        #expect(answer.headers["server-timing"]?.contains("run;dur=") == true)
      }
      let list = try server.post("/v1/segment", two + #""parameters": {"model": "map"}}"#)
      let values = try #require(JSONSerialization.jsonObject(with: Data(list.body.utf8)) as? [[String: Any]])
      #expect(values.map { $0["image"] as? String } == ["1", "2"])
      #expect(values.allSatisfy { ($0["classes"] as? [Any])?.isEmpty == false })
      let stream = try server.post(
        "/v1/segment", two + #""parameters": {"model": "map", "format": "jsonl"}}"#)
      for line in lines { #expect(stream.body.contains(line), "\(stream.body.prefix(400))") }
    }
  }

  @Test func `a PNG has the class numbers that fovea segment writes, upright by default`() async throws {
    let (photo, turned) = (try RunningInference.bytes(), try Self.turned())
    func png(_ findings: DetectionRecord.Findings) throws -> [UInt8] {
      guard case .map(let map) = findings.content else { throw TestFailure("there is no map") }
      return try ClassImage.png(map.classes(in: findings.size), size: findings.size)
    }
    let found = try await Self.findings(photo)
    let other = try await Self.findings(turned)
    let rows: [(target: String, bytes: [UInt8], png: [UInt8])] = [
      ("/v1/segment?model=map", photo, try png(found)),
      ("/v1/models/map:segment", turned, try png(other.upright())),
      ("/v1/segment?model=map&upright=false", turned, try png(other)),
      ("/v1/segment?model=map&upright=true", turned, try png(other.upright())),
    ]
    try await RunningInference.run(try Self.entries()) { server in
      for row in rows {
        for accept in ["image/png", "image/avif, image/png;q=0.8, */*"] {
          let (answer, file) = try server.sendForBytes(
            "POST", row.target, headers: ["Accept": accept], row.bytes)
          #expect(answer.status == 200 && answer.headers["content-type"] == "image/png", "\(row.target)")
          #expect(Data(file) == Data(row.png), "\(row.target)")
          #expect(answer.headers["server-timing"]?.contains("draw;dur=") == true)
        }
      }
      // The format outranks the accepted type.
      for row in rows {
        let target = row.target + (row.target.contains("?") ? "&" : "?") + "format=png"
        for accept in ["*/*", "application/json", "image/jpeg"] {
          let (answer, file) = try server.sendForBytes(
            "POST", target, headers: ["Accept": accept], row.bytes)
          #expect(answer.status == 200 && answer.headers["content-type"] == "image/png", "\(target)")
          #expect(Data(file) == Data(row.png), "\(target)")
        }
      }
      // A list of one image is one image.
      let list = #"{"images": [{"base64": "\#(Data(photo).base64EncodedString())"}]}"#
      let (answer, file) = try server.sendForBytes(
        "POST", "/v1/segment?model=map",
        headers: ["Accept": "image/png", "Content-Type": "application/json"], Array(list.utf8))
      #expect(answer.status == 200 && Data(file) == Data(rows[0].png))
    }
  }

  @Test func `an annotated image equals the one that fovea segment writes`() async throws {
    let photo = try RunningInference.bytes()
    let canvas = try EncodedImage(bytes: photo, name: "photo").canvas()
    try canvas.draw(try await Self.findings(photo), keypointThreshold: 0.3)
    let jpeg = Data(try canvas.encoded(as: .jpeg, quality: PixelCanvas.annotatedQuality))
    let png = Data(try canvas.encoded(as: .png, quality: PixelCanvas.annotatedQuality))
    let rows: [(target: String, accept: String?, file: Data)] = [
      ("/v1/segment?model=map", "image/jpeg", jpeg), ("/v1/segment?model=map&annotate=jpeg", nil, jpeg),
      ("/v1/segment?model=map&annotate=png", nil, png),
      // An option outranks the accepted type.
      ("/v1/segment?model=map&annotate=jpeg", "image/png", jpeg),
      ("/v1/segment?model=map&annotate=png", "image/png", png),
    ]
    try await RunningInference.run(try Self.entries()) { server in
      for row in rows {
        let (answer, file) = try server.sendForBytes(
          "POST", row.target, headers: row.accept.map { ["Accept": $0] } ?? [:], photo)
        #expect(answer.status == 200 && Data(file) == row.file, "\(row.target)")
      }
      let json = try server.send(
        "POST", "/v1/segment?model=map&annotate=jpeg", headers: ["Accept": "application/json"], photo)
      let record = try #require(
        JSONSerialization.jsonObject(with: Data(json.body.utf8)) as? [String: Any])
      let annotated = try #require(record["annotated"] as? [String: String])
      #expect(Data(base64Encoded: annotated["base64"] ?? "") == jpeg && record["classes"] != nil)
    }
  }

  @Test func `an image that is too large for class numbers is rejected, and its JSON is not`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run(try Self.entries(), { $0.maximumDrawnPixels = 1_000 }) { server in
      for (query, accept, words) in [
        ("", "image/png", "class numbers are written for at most 1000"),
        ("&format=png", "*/*", "class numbers are written for at most 1000"),
        ("&annotate=jpeg", "*/*", "classes are painted on at most 1000"),
      ] {
        let answer = try server.send(
          "POST", "/v1/segment?model=map\(query)", headers: ["Accept": accept], photo)
        #expect(answer.status == 413 && answer.errorCode == "image-too-large", "\(answer.body)")
        #expect(answer.body.contains(words), "\(answer.body)")
      }
      #expect(try server.send("POST", "/v1/segment?model=map", photo).status == 200)
    }
  }
}
#endif
