// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaRuntime
import FoveaTesting
import Testing

@testable import Fovea
@testable import FoveaMetadata

/// The models of a `.task` bundle that each worker runs, and that the inspection shows.
@Suite struct TaskBundleTests {
  typealias File = (name: String, model: String)

  static let hands: [File] = [
    ("hand_landmarks_detector.tflite", "hand_landmarks"), ("hand_detector.tflite", "mediapipe_palm"),
  ]
  static let portrait: [File] = [
    ("face_detector.tflite", "mediapipe_face"), ("selfie.tflite", "map_two"),
  ]

  private static func write(_ files: [File], _ folder: TemporaryFolder) throws -> String {
    try folder.write("b.task", LandmarkStageTests.bundle(files))
  }

  private static func error(_ body: () async throws -> Void) async -> FoveaError? {
    do { try await body() } catch { return error as? FoveaError }
    return nil
  }

  @Test(arguments: [[("selfie.tflite", "map_two")], portrait] as [[File]])
  func `the segmenter uses the only segmentation model`(_ files: [File]) async throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(files, folder)
    let input = try ImageSegmenterTests.input()
    let expected = try await ImageSegmenterTests.segmenter("map_two").segment(input)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for source in [.file(path), .memory(ModelBytes(bytes, name: "b"))] as [ModelSource] {
      let segmenter = try await ImageSegmenter(model: source, options: ImageSegmenterTests.options)
      #expect(try await segmenter.segment(input) == expected)
    }
    let inspection = try ModelInspection(of: .file(path))
    #expect(inspection.name == "\(path)/selfie.tflite" && inspection.family == "segmentation")
    #expect(inspection.notes == ["'\(path)' is a bundle, and 'selfie.tflite' is its segmentation model"])
    #expect(inspection.fileSize == bytes.count && inspection.byteCount < bytes.count)
    let checksum = try await ModelSource.file(path).checksum()
    #expect(inspection.fileChecksum == checksum)
    let error = await Self.error { _ = try await ObjectDetector(model: .file(path)) }
    #expect(
      error?.message
        == "'\(path)' has no detector with a landmark model; 'selfie.tflite' is a segmentation model")
    #expect(error?.remedy.description == "Use ImageSegmenter")
  }

  @Test func `a detector with a landmark model is described, and refused by other workers`() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(Self.hands, folder)
    let pair =
      "the landmark model 'hand_landmarks_detector.tflite' follows the detector 'hand_detector.tflite'"
    let inspection = try ModelInspection(of: .file(path))
    #expect(inspection.name == "\(path)/hand_detector.tflite" && inspection.family == "mediapipe-palm")
    #expect(inspection.notes == ["'\(path)' is a bundle: \(pair)"])
    let segmenting = await Self.error { _ = try await ImageSegmenter(model: .file(path)) }
    #expect(segmenting?.code.rawValue == "model-unsupported")
    #expect(segmenting?.message == "'\(path)' has no segmentation model; \(pair)")
    #expect(segmenting?.remedy.description == "Use ObjectDetector")
    let others: [() async throws -> Void] = [
      { _ = try await ImageLabeler(model: .file(path)) },
      { _ = try await ImageEmbedder(model: .file(path)) },
      { _ = try ModelSource.file(path).fileBytes() },
    ]
    for other in others {
      let error = await Self.error(other)
      #expect(error?.code.rawValue == "model-invalid")
      #expect(error?.message == "'\(path)' is a bundle, not one model: \(pair)")
      #expect(
        error?.remedy.description == "Use ObjectDetector, or unpack the bundle and use one of its files")
    }
  }

  @Test(arguments: [hands, [hands[0]]])
  func `a landmark model can come from a bundle`(_ files: [File]) async throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(files, folder)
    let detector = try await LandmarkStageTests.detector { $0.landmarks = .file(path) }
    let plain = try await LandmarkStageTests.detector()
    #expect(try await detector.detect(in: BlockImage.png()) == plain.detect(in: BlockImage.png()))
  }

  struct Other: Sendable, CustomTestStringConvertible {
    var files: [File]
    var what: String
    var remedy =
      "Use MediaPipe's pose_landmarker, face_landmarker or hand_landmarker, or unpack it and use a"
      + " .tflite file"
    var testDescription: String { files.map(\.name).joined(separator: ", ") }
  }

  @Test(arguments: [
    Other(files: [], what: "it is an empty archive"),
    Other(
      files: [("birds.tflite", "classifier_uint8")], what: "its files are birds.tflite (a classifier)",
      remedy: "Unpack it, and use 'birds.tflite' with ImageLabeler"),
    Other(
      files: [("hand_landmarker.task", "hand_landmarks"), ("sound.tflite", "sound")],
      what: "its files are hand_landmarker.task, sound.tflite"),
    Other(
      files: [("a.tflite", "map_two"), ("b.tflite", "map_scores")],
      what: "its files are a.tflite (a segmentation model), b.tflite (a segmentation model)",
      remedy: "Unpack it, and use 'a.tflite' with ImageSegmenter"),
    Other(
      files: (1...9).map { ("\($0).tflite", "map_two") },
      what: "its files are " + (1...8).map { "\($0).tflite" }.joined(separator: ", ") + ", …"),
  ])
  func `other bundles are refused with their files`(_ other: Other) async throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(other.files, folder)
    let detecting = await Self.error { _ = try await ObjectDetector(model: .file(path)) }
    #expect(detecting?.message == "'\(path)' has no detector with a landmark model; \(other.what)")
    let segmenting = await Self.error { _ = try await ImageSegmenter(model: .file(path)) }
    #expect(segmenting?.message == "'\(path)' is not a segmentation model; \(other.what)")
    let inspecting = await Self.error { _ = try ModelInspection(of: .file(path)) }
    #expect(inspecting?.message == "'\(path)' is a bundle, not one model: \(other.what)")
    for error in [detecting, segmenting, inspecting] {
      #expect(error?.remedy.description == other.remedy)
    }
  }

  @Test func `a bundle with several detectors that a landmark model follows is refused`() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(
      [
        ("face_landmarks_detector.tflite", "face_landmarks"),
        ("pose_landmarks_detector.tflite", "landmarks"), ("hand_landmarks_detector.tflite", "hand_landmarks"),
        ("pose_detector.tflite", "mediapipe_pose"), ("face_detector.tflite", "mediapipe_face"),
      ], folder)
    let uses: [() async throws -> Void] = [
      { _ = try await ObjectDetector(model: .file(path)) },
      { _ = try await ImageSegmenter(model: .file(path)) },
      { _ = try await ImageLabeler(model: .file(path)) },
      { _ = try ModelInspection(of: .file(path)) },
    ]
    for use in uses {
      let error = await Self.error(use)
      #expect(
        error?.message
          == "'\(path)' has 2 detectors with a landmark model: 'face_detector.tflite' and"
          + " 'face_landmarks_detector.tflite', 'pose_detector.tflite' and 'pose_landmarks_detector.tflite'")
      #expect(
        error?.remedy.description
          == "Unpack it, and use one detector with its landmark model as Options.landmarks")
    }
  }

  @Test func `the only model of a bundle explains itself if it is damaged`() async throws {
    let folder = try TemporaryFolder()
    var (bytes, writer) = ([UInt8](), ArchiveWriter())
    writer.append(AssociatedFileContents(name: "selfie.tflite", contents: [1, 2, 3]), to: &bytes)
    writer.finish(&bytes)
    let path = try folder.write("b.task", bytes)
    let error = await Self.error { _ = try await ImageSegmenter(model: .file(path)) }
    #expect(error?.message.hasPrefix("'\(path)/selfie.tflite' is not a TFLite model") == true)
  }

  @Test func `bytes of another archive are no bundle, and a model may be named like one`() async throws {
    let folder = try TemporaryFolder()
    let keras = try LandmarkStageTests.bundle([("config.json", "map_two")])
    let error = await Self.error {
      _ = try await ObjectDetector(model: .memory(ModelBytes(keras, name: "m")))
    }
    #expect(error?.message == "'m' is not a TFLite model: it is a ZIP archive with a Keras model")
    let model = try #require(KnownAnswerTests.model("map_two").path)
    let path = try folder.write(
      "plain.task", [UInt8](try Data(contentsOf: URL(fileURLWithPath: model))))
    #expect(try ModelInspection(of: .file(path)).notes == [])
    _ = try await ImageSegmenter(model: .file(path), options: ImageSegmenterTests.options)
  }
}
