// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaCompatibility
import FoveaTesting
import MLKit
import Testing

/// Models that cannot be used: each an error of the first image, with ML Kit's or the Task Library's message,
/// never a trap.
@Suite(.onOwnThread) struct BadModelTests {
  /// A model, and the expected error of its use.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let path: String
    let code: MLKitError.Code
    let status: Int?
    let text: String
  }

  /// The errors of a detector and a labeler with this model, in all kinds of call.
  static func errors(_ model: LocalModel?) async throws -> [MLKitError] {
    let image = try Photo.image("cat")
    let detection = CustomObjectDetectorOptions(localModel: model)
    detection.detectorMode = .singleImage
    detection.shouldEnableClassification = true
    let detector = ObjectDetector.objectDetector(options: detection)
    let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: model))
    var errors: [(any Error)?] = [
      #expect(throws: (any Error).self) { try detector.results(in: image) },
      #expect(throws: (any Error).self) { try labeler.results(in: image) },
    ]
    errors.append(await #expect(throws: (any Error).self) { _ = try await detector.process(image) })
    errors.append(
      await withCheckedContinuation { continuation in
        labeler.process(image) { labels, error in
          continuation.resume(returning: labels == nil ? error : nil)
        }
      })
    return try errors.map { try #require($0 as? MLKitError) }
  }

  static func check(_ row: Case, _ model: LocalModel?) async throws {
    for error in try await errors(model) {
      #expect(error.code == row.code)
      #expect(error.modelStatus == row.status)
      #expect(error.message.hasPrefix(row.text), "\(error.message)")
      #expect(!error.remedy.description.isEmpty)
      let bridged = error as NSError
      #expect(bridged.domain == "fovea.mlkit")
      #expect(bridged.code == row.code.rawValue)
      #expect(bridged.localizedDescription.contains(row.text))
    }
  }

  static let everywhere = [
    Case(
      testDescription: "no such file", path: "model.tflite", code: .notFound, status: 100,
      text: "Local model path (model.tflite) is invalid: there is no such file"),
    Case(
      testDescription: "an empty path", path: "", code: .notFound, status: 100,
      text: "Local model path () is invalid: there is no such file"),
    Case(
      testDescription: "a directory", path: PackageRoot.path + "/docs", code: .notFound, status: 100,
      text: "Local model path (\(PackageRoot.path)/docs) is invalid: "),
    Case(
      testDescription: "an image", path: PackageRoot.path + "/Examples/photos/cat.jpg",
      code: .modelIncompatible,
      status: 3, text: "Local model path (\(PackageRoot.path)/Examples/photos/cat.jpg) is invalid: "),
  ]

  @Test("A file that is not a model is rejected with ML Kit's message", arguments: everywhere)
  func noModel(_ row: Case) async throws { try await Self.check(row, LocalModel(path: row.path)) }

  @Test("An empty model file is rejected")
  func emptyFile() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("fovea-empty-\(getpid()).tflite")
      .path
    #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let row = Case(
      testDescription: "", path: path, code: .invalidArgument, status: 102,
      text: "Local model path (\(path)) is invalid: ")
    try await Self.check(row, LocalModel(path: path))
  }

  @Test("A model that is nil is rejected with ML Kit's message")
  func nilModel() async throws {
    let row = Case(
      testDescription: "", path: "", code: .invalidArgument, status: nil, text: "Local model must not be nil")
    try await Self.check(row, nil)
    let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: nil))
    let error = #expect(throws: MLKitError.self) { try labeler.results(in: Photo.image("cat")) }
    #expect(error?.remedy.description.contains("LocalModel(checkedManifestPath:)") == true)
  }

  @Test("A remote model that was never downloaded is rejected")
  func remoteModel() async throws {
    let model = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "never-downloaded"))
    let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(remoteModel: model))
    let detector = ObjectDetector.objectDetector(options: CustomObjectDetectorOptions(remoteModel: model))
    let image = try Photo.image("cat")
    let errors = [
      #expect(throws: MLKitError.self) { try labeler.results(in: image) },
      #expect(throws: MLKitError.self) { try detector.results(in: image) },
    ]
    for error in errors {
      #expect(error?.code == .failedPrecondition)
      #expect(error?.message.contains("never-downloaded") == true)
    }
  }

  static let shared = [
    Case(
      testDescription: "a float model without normalisation",
      path: "models/classify/tfls_mobilenet_v1_0.25_224_1_default_1.tflite", code: .modelIncompatible,
      status: 208,
      text: "Input tensor has type kTfLiteFloat32: it requires specifying NormalizationOptions metadata to"
        + " preprocess input images.")
  ]

  @Test(
    "A model that breaks a rule is rejected with the Task Library's number and message",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: shared)
  func brokenRule(_ row: Case) async throws {
    try await Self.check(row, LocalModel(path: SharedData.path(row.path)))
  }

  @Test("A labeler rejects an output of three dimensions with the Task Library's number and message")
  func threeDimensions() throws {
    let model = LocalModel(path: PackageRoot.path + "/Tests/Fixtures/models/yolov8.tflite")
    let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: model))
    let error = #expect(throws: MLKitError.self) { try labeler.results(in: Photo.image("cat")) }
    #expect(error?.modelStatus == 400)
    #expect(
      error?.message.hasPrefix(
        "Unexpected number of dimensions for output index 0: got 3D, expected either 2D (BxN with B=1) or 4D"
          + " (BxHxWxN with B=1, W=1, H=1).") == true)
    #expect(
      error?.remedy.description.hasPrefix("Pass the detector to CustomObjectDetectorOptions(localModel:)")
        == true)
  }

  @Test(
    "A wrong number of labels is rejected, with the Task Library's number",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func wrongLabelCount() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fovea-labels-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      atPath: SharedData.path("models/classify/tfls_automl_labeler_model.tflite"),
      toPath: folder.appendingPathComponent("model.tflite").path)
    let manifest = #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING"}"#
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("manifest.json"))
    try Data("daisy\ndandelion\nroses\nsunflowers\n".utf8).write(
      to: folder.appendingPathComponent("dict.txt"))
    let path = folder.appendingPathComponent("manifest.json").path
    for error in try await Self.errors(LocalModel(path: path)) {
      #expect(error.code == .modelIncompatible)
      #expect(error.modelStatus == 203)
      #expect(error.message.contains("4") && error.message.contains("5"), "\(error.message)")
    }
  }

  @Test(
    "A manifest without its files is rejected with ML Kit's message")
  func manifestWithoutFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fovea-manifest-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let manifest = #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING"}"#
    let path = folder.appendingPathComponent("manifest.json").path
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: path))
    for error in try await Self.errors(LocalModel(path: path)) {
      #expect(error.code == .notFound)
      #expect(error.modelStatus == 100)
      #expect(error.message.hasPrefix("Local model path (\(path)) is invalid: "), "\(error.message)")
    }
  }

  @Test(
    "An unknown locale is an error that lists the model's",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func unknownLocale() throws {
    let options = CustomImageLabelerOptions(localModel: LocalModel(path: SharedModel.bird))
    options.locale = "xx"
    let error = #expect(throws: MLKitError.self) {
      try ImageLabeler.imageLabeler(options: options).results(in: Photo.image("cat"))
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.description.contains("en") == true)
  }

  @Test(
    "A failed model is retried with the next image",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func failureIsNotKept() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("fovea-late-\(getpid()).tflite")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let labeler = ImageLabeler.imageLabeler(
      options: CustomImageLabelerOptions(localModel: LocalModel(path: path)))
    let image = try Photo.image("cat")
    #expect(throws: MLKitError.self) { try labeler.results(in: image) }
    try FileManager.default.copyItem(atPath: SharedModel.bird, toPath: path)
    _ = try labeler.results(in: image)
  }
}
