// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaTesting
import MLKit
import Testing

/// The sample classifier of ML Kit's guides on the objects of a photo.
@Suite(.onOwnThread, .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct CustomClassifierTests {
  /// The effect of a threshold and a count.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var threshold: NSNumber?
    var count: Int?
    /// The lowest confidence that may be reported.
    let lowest: Float
    /// The maximum number of labels.
    let most: Int
    /// Whether there must be as many.
    var isFull = false
  }

  static let cases = [
    Case(testDescription: "unset: the metadata's 0.3", lowest: 0.3, most: 10),
    Case(testDescription: "0.0: ten labels", threshold: 0, lowest: 0, most: 10, isFull: true),
    Case(testDescription: "1.5 counts as unset", threshold: 1.5, lowest: 0.3, most: 10),
    Case(testDescription: "−0.1 counts as unset", threshold: -0.1, lowest: 0.3, most: 10),
    Case(
      testDescription: "not a number counts as unset", threshold: NSNumber(value: Double.nan), lowest: 0.3,
      most: 10),
    Case(testDescription: "0.0 and three labels", threshold: 0, count: 3, lowest: 0, most: 3, isFull: true),
    Case(
      testDescription: "no labels count as ten", threshold: 0, count: 0, lowest: 0, most: 10, isFull: true),
    Case(
      testDescription: "minus one label counts as ten", threshold: 0, count: -1, lowest: 0, most: 10,
      isFull: true),
    Case(testDescription: "1.0: none is that sure", threshold: 1, lowest: 1, most: 10),
  ]

  @Test(
    "Thresholds and counts come from the options, then the model, then 0.0 and 10", arguments: cases)
  func thresholds(_ row: Case) throws {
    let options = Options.custom(SharedModel.bird, multiple: false)
    options.classificationConfidenceThreshold = row.threshold
    if let count = row.count { options.maxPerObjectLabelCount = count }
    let detector = ObjectDetector.objectDetector(options: options)
    let objects = try detector.results(in: VisionImage(image: Photo.shared("mlkit_bird.jpg")))
    let labels = try #require(objects.first).labels
    #expect(objects.count == 1)
    #expect(labels.allSatisfy { $0.confidence >= row.lowest })
    #expect(labels.count <= row.most)
    #expect(!row.isFull || labels.count == row.most)
    #expect(labels.map(\.confidence) == labels.map(\.confidence).sorted(by: >))
    if row.lowest < 0.9 { #expect(labels.first?.text == "Ardea cinerea") }
  }

  @Test("A label has the plain class name, and the display name if its locale is requested")
  func locale() throws {
    let image = VisionImage(image: try Photo.shared("mlkit_bird.jpg"))
    let options = Options.custom(SharedModel.bird, multiple: false)
    let plain = try ObjectDetector.objectDetector(options: options).results(in: image)
    options.locale = "en"
    let english = try ObjectDetector.objectDetector(options: options).results(in: image)
    #expect(plain.first?.labels.first?.text == "Ardea cinerea")
    #expect(english.first?.labels.first?.text.hasPrefix("Ardea cinerea (") == true)
    #expect(plain.first?.labels.first?.index == english.first?.labels.first?.index)
  }

  @Test("Without classification the model does not run, and objects have no labels")
  func classificationOff() throws {
    let options = Options.custom(SharedModel.bird, classification: false)
    let detector = ObjectDetector.objectDetector(options: options)
    let objects = try detector.results(in: VisionImage(image: Photo.shared("mlkit_bird.jpg")))
    #expect(!objects.isEmpty)
    #expect(objects.allSatisfy { $0.labels.isEmpty })
  }

  @Test("A model without names gives labels without text, but with the right index")
  func namelessModel() throws {
    let path = SharedData.path(
      "models/classify/tfls_mobilenet_v1_0.25_224_quant_without_subgraph_metadata.tflite")
    let options = Options.custom(path, multiple: false)
    let objects = try ObjectDetector.objectDetector(options: options)
      .results(in: VisionImage(image: Photo.shared("mlkit_bird.jpg")))
    let labels = try #require(objects.first).labels
    #expect(labels.count == 10)
    #expect(labels.allSatisfy { $0.text.isEmpty })
    #expect(Set(labels.map(\.index)).count == 10)
  }

  @Test("An AutoML manifest names model and labels, for the folder and for the manifest")
  func manifest() throws {
    let image = VisionImage(image: try Photo.shared("mlkit_roses.jpeg"))
    for path in [SharedModel.autoML, SharedModel.autoMLFolder] {
      let options = Options.custom(path, multiple: false)
      let labels = try ObjectDetector.objectDetector(options: options).results(in: image).first?.labels
      #expect(labels?.first?.text == "roses", "\(path)")
      #expect(labels?.count == 5)
    }
  }

  @Test("A float model without normalisation runs if the option supplies it")
  func normalization() throws {
    let path = SharedData.path("models/classify/tfls_mobilenet_v1_0.25_224_1_default_1.tflite")
    let options = Options.custom(path, multiple: false)
    options.normalization = PixelNormalization(mean: 127.5, standardDeviation: 127.5)
    let objects = try ObjectDetector.objectDetector(options: options)
      .results(in: VisionImage(image: Photo.shared("mlkit_bird.jpg")))
    #expect(objects.first?.labels.first.map { $0.confidence > 0.3 } == true)
  }

  @Test("An int8 model runs")
  func int8() throws {
    let path = SharedData.path("models/classify/vww_person_mobilenet_v1_0.25_96_int8.tflite")
    let objects = try ObjectDetector.objectDetector(options: Options.custom(path, multiple: false))
      .results(in: VisionImage(image: Photo.shared("mlkit_grace_hopper.jpg")))
    #expect(objects.first?.labels.count == 2)
  }

  @Test("A changed or deleted model file affects only new detectors")
  func changedFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "fovea-changed-model-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("model.tflite").path
    try FileManager.default.copyItem(atPath: SharedModel.bird, toPath: path)
    let detector = ObjectDetector.objectDetector(options: Options.custom(path, multiple: false))
    let image = VisionImage(image: try Photo.shared("mlkit_bird.jpg"))
    #expect(try detector.results(in: image).first?.labels.first?.text == "Ardea cinerea")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(
      atPath: SharedData.path("models/classify/tfls_automl_labeler_model.tflite"), toPath: path)
    let newer = ObjectDetector.objectDetector(options: Options.custom(path, multiple: false))
    #expect(try newer.results(in: image).first?.labels.count == 5)
    #expect(try detector.results(in: image).first?.labels.first?.text == "Ardea cinerea")
    try FileManager.default.removeItem(atPath: path)
    #expect(try detector.results(in: image).first?.labels.first?.text == "Ardea cinerea")
    #expect(try newer.results(in: image).first?.labels.count == 5)
    let newest = ObjectDetector.objectDetector(options: Options.custom(path, multiple: false))
    let error = #expect(throws: MLKitError.self) { try newest.results(in: image) }
    #expect(error?.modelStatus == 100)
    try FileManager.default.copyItem(atPath: SharedModel.bird, toPath: path)
    #expect(try newest.results(in: image).first?.labels.first?.text == "Ardea cinerea")
  }
}
