// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaRender
import FoveaFormats
import FoveaImage
import FoveaInference
import FoveaTesting
import Testing

@Suite struct AnnotationTests {
  /// The photo as annotated by the command line.
  private static func expected(_ bytes: [UInt8], as format: ImageFormat) async throws -> [UInt8] {
    var options = ObjectDetector.Options()
    options.threads = 1
    let result = try await ObjectDetector(options: options).analyze(.data(bytes))
    let canvas = try EncodedImage(bytes: bytes, name: "photo").canvas()
    try canvas.draw(DetectionRecord.Findings(result), keypointThreshold: 0.3)
    return try canvas.encoded(as: format, quality: PixelCanvas.annotatedQuality)
  }

  private struct Call: Sendable {
    var target = "/v1/detect"
    var accept: String?
    let type: String
  }

  @Test func `an annotated image equals the one that fovea detect writes`() async throws {
    let bytes = try RunningInference.bytes()
    let images: [ImageFormat: Data] = [
      .jpeg: Data(try await Self.expected(bytes, as: .jpeg)),
      .png: Data(try await Self.expected(bytes, as: .png)),
      .webp: Data(try await Self.expected(bytes, as: .webp)),
    ]
    let calls = [
      Call(accept: "image/jpeg", type: "image/jpeg"), Call(accept: "image/*", type: "image/jpeg"),
      Call(accept: "image/avif, image/webp;q=0.8, */*", type: "image/webp"),
      Call(accept: "image/png;q=0, image/jpeg", type: "image/jpeg"),
      Call(target: "/v1/detect?annotate=png", type: "image/png"),
      Call(target: "/v1/detect?annotate=png", accept: "image/jpeg", type: "image/png"),
      Call(target: "/v1/detect?annotate=webp", accept: "*/*", type: "image/webp"),
    ]
    try await RunningInference.run { server in
      for call in calls {
        let (answer, file) = try server.sendForBytes(
          "POST", call.target, headers: call.accept.map { ["Accept": $0] } ?? [:], bytes)
        #expect(answer.status == 200 && answer.headers["content-type"] == call.type, "\(call)")
        let format = call.type == "image/png" ? ImageFormat.png : call.type == "image/webp" ? .webp : .jpeg
        #expect(Data(file) == images[format], "\(call)")
        #expect(answer.headers["server-timing"]?.contains("draw;dur=") == true)
      }
      let json = try server.send(
        "POST", "/v1/detect?annotate=jpeg", headers: ["Accept": "application/json"], bytes)
      let record = try #require(
        JSONSerialization.jsonObject(with: Data(json.body.utf8)) as? [String: Any])
      let annotated = try #require(record["annotated"] as? [String: String])
      #expect(annotated["type"] == "image/jpeg" && (record["objects"] as? [Any])?.isEmpty == false)
      #expect(Data(base64Encoded: annotated["base64"] ?? "") == images[.jpeg])
    }
  }

  @Test func `an image that cannot be drawn on is rejected with its reason, and the next is answered`()
    async throws
  {
    let bytes = try RunningInference.bytes()
    let base64 = Data(bytes).base64EncodedString()
    let two = #"{"images": [{"base64": "\#(base64)"}, {"base64": "\#(base64)"}]}"#
    try await RunningInference.run { server in
      for target in [
        "?annotate=gif", "?annotate=", "?annotate=png&format=csv", "?model=coarse&annotate=png",
      ] {
        let route = target.contains("coarse") ? "/v1/label" : "/v1/detect"
        let answer = try server.send("POST", route + target, bytes)
        #expect(answer.status == 400 && answer.errorCode == "option-invalid", "\(target)")
      }
      let list = try server.send(
        "POST", "/v1/detect", headers: ["Accept": "image/png", "Content-Type": "application/json"],
        Array(two.utf8))
      #expect(list.status == 400 && list.errorCode == "option-invalid")
      #expect(try server.send("POST", "/v1/detect", bytes).status == 200)
    }
  }

  @Test func `an image with too many pixels to draw on is detected, and not annotated`() async throws {
    let bytes = try RunningInference.bytes()
    try await RunningInference.run([.embedded], { $0.maximumDrawnPixels = 1_000 }) { server in
      let answer = try server.send("POST", "/v1/detect?annotate=jpeg", bytes)
      #expect(answer.status == 413 && answer.errorCode == "image-too-large")
      // No option of the server changes this limit.
      #expect(
        answer.body.contains("boxes are drawn on at most 1000\"") && !answer.body.contains("--max-pixels"))
      #expect(answer.body.contains("Send a smaller image, or request JSON without the annotated image\""))
      #expect(try server.send("POST", "/v1/detect", bytes).status == 200)
    }
  }
}
#endif
