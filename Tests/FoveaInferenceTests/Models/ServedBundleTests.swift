// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaImage
import FoveaInference
import FoveaTesting
import Testing

@testable import FoveaMetadata

/// A `.task` bundle as a served model.
@Suite struct ServedBundleTests {
  private static func model(_ name: String) throws -> [UInt8] {
    try RunningInference.bytes(PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite")
  }

  /// A ZIP archive with stored files.
  private static func bundle(_ files: KeyValuePairs<String, String>) throws -> [UInt8] {
    var (bytes, writer) = ([UInt8](), ArchiveWriter())
    for (name, file) in files {
      writer.append(AssociatedFileContents(name: name, contents: try model(file)), to: &bytes)
    }
    writer.finish(&bytes)
    return bytes
  }

  private static let hands: KeyValuePairs = [
    "hand_detector.tflite": "mediapipe_palm", "hand_landmarks_detector.tflite": "hand_landmarks",
  ]

  /// A red block on grey, which the tiny models find.
  private static func photo() throws -> [UInt8] {
    let canvas = PixelCanvas(size: PixelSize(width: 320, height: 160))
    // SAFETY: rows and columns are those of the canvas, four bytes per pixel.
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for (y, x) in (0..<160).lazy.flatMap({ y in (0..<320).lazy.map { (y, $0) } }) {
        let isRed = (40..<120).contains(x) && (16..<80).contains(y)
        let offset = y * canvas.bytesPerRow + x * 4
        unsafe bytes[offset] = isRed ? 0 : 90
        unsafe bytes[offset + 1] = isRed ? 0 : 90
        unsafe bytes[offset + 2] = isRed ? 255 : 90
      }
    }
    return try canvas.encoded(as: .png)
  }

  private static func json(_ answer: HTTPAnswer) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
  }

  @Test func `a bundle is served as both of its stages, or as its segmentation model`() async throws {
    let folder = try TemporaryFolder()
    let people = try folder.write("people.task", Self.bundle(Self.hands))
    let bytes = try Self.bundle(["selfie.tflite": "map_two"])
    try folder.write("more/selfie.task", bytes)
    let image = try Self.photo()
    let expected = try await ObjectDetector(model: .file(people)).detect(in: .data(image))
    #expect(expected.contains { $0.keypoints.count == 21 })
    let more = folder["more"]
    try await RunningInference.run([ModelEntry(people)], { $0.modelFolder = more }) { server in
      let hands = try Self.json(server.send("GET", "/v1/models/people"))
      #expect(hands["task"] as? String == "detect" && hands["family"] as? String == "mediapipe-palm")
      #expect((hands["keypointSet"] as? [String: Any])?["name"] as? String == "hand")
      #expect(hands["bytes"] as? Int == (try Self.bundle(Self.hands)).count)
      let answer = try Self.json(server.send("POST", "/v1/detect?model=people", image))
      let objects = try #require(answer["objects"] as? [[String: Any]])
      #expect(objects.map { ($0["keypoints"] as? [Any])?.count } == expected.map { $0.keypoints.count })
      let selfie = try Self.json(server.send("GET", "/v1/models/selfie"))
      #expect(selfie["task"] as? String == "segment" && selfie["bytes"] as? Int == bytes.count)
      let map = try server.send("POST", "/v1/segment?model=selfie", image)
      #expect(map.status == 200, "\(map.body)")
    }
  }

  @Test func `a bundle with another landmark model is another version`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("people.task", Self.bundle(Self.hands))
    let other = try Self.bundle([
      "hand_detector.tflite": "mediapipe_palm", "hand_landmarks_detector.tflite": "hand_landmarks",
      "notes.txt": "map_two",
    ])
    try await RunningInference.run([ModelEntry(path)]) { server in
      let first = try Self.json(server.send("GET", "/v1/models/people"))
      try folder.write("people.task", other)
      let second = try Self.json(server.send("POST", "/v1/models/people:load"))
      #expect(first["version"] as? Int == 1 && second["version"] as? Int == 2)
      #expect(first["sha256"] as? String != second["sha256"] as? String)
    }
  }

  @Test func `a bundle that cannot be served is refused with its files`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("birds.task", Self.bundle(["birds.tflite": "classifier_uint8"]))
    let error = #expect(throws: FoveaError.self) { try ModelEntry(path).checkFiles() }
    #expect(
      error?.message
        == "'\(path)' is a bundle, not one model: its files are birds.tflite (a classifier)")
    #expect(error?.remedy.description == "Unpack it, and use 'birds.tflite' with ImageLabeler")
  }
}
#endif
