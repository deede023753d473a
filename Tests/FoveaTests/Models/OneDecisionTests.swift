// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaMetadata
import FoveaRuntime
import FoveaTesting
import Testing

@testable import Fovea

/// Inspection, detector and labeler agree about the kind of a model.
@Suite struct OneDecisionTests {
  /// The fixtures, and the shared models if they exist.
  static let models: [String] = {
    var paths: [String] = []
    let fixtures = PackageRoot.path + "/Tests/Fixtures/models"
    var folders = [fixtures]
    if SharedData.isPresent {
      folders += ["models", "wild-models", "tasks", "reported"].map { SharedData.path($0) }
    }
    for folder in folders {
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
      where name.hasSuffix(".tflite") {
        paths.append(folder + "/" + name)
      }
    }
    return paths.sorted()
  }()

  static func error(_ body: () async throws(FoveaError) -> Void) async -> FoveaError? {
    do throws(FoveaError) {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: models) func `detector, labeler and segmenter do what inspection reports`(_ path: String)
    async throws
  {
    let model = ModelSource.file(path)
    let detection = await Self.error { () throws(FoveaError) in _ = try await ObjectDetector(model: model) }
    let labeling = await Self.error { () throws(FoveaError) in _ = try await ImageLabeler(model: model) }
    let segmentation = await Self.error { () throws(FoveaError) in _ = try await ImageSegmenter(model: model)
    }
    let inspection: ModelInspection
    do throws(FoveaError) {
      inspection = try ModelInspection(of: model)
    } catch {
      for found in [detection, labeling, segmentation] { #expect(found?.message == error.message) }
      return
    }
    switch inspection.family {
    case "classifier":
      #expect(labeling == nil && detection == nil, "\(labeling?.message ?? detection?.message ?? "")")
      #expect(segmentation?.message.contains("is not a segmentation model: it is a classifier") == true)
    case "segmentation":
      #expect(segmentation == nil, "\(segmentation?.message ?? "")")
      #expect(detection?.message.contains("is not a detector: it is a segmentation model") == true)
      #expect(labeling?.message.contains("is not an image classifier: it is a segmentation model") == true)
    case .some(let family):
      #expect(detection == nil, "\(detection?.message ?? "")")
      #expect(
        labeling?.message.hasSuffix("is not an image classifier: it is a detector of the family '\(family)'")
          == true,
        "\(labeling?.message ?? "it is labelled")")
      #expect(segmentation?.message.contains("is not a segmentation model: it is a detector") == true)
    case nil:
      #expect(detection != nil && labeling != nil && segmentation != nil, "\(inspection.reason)")
    }
  }

  /// An SSD as exported by TensorFlow 2: the first output is a row of ten scores, like a classifier's.
  @Test(arguments: ["sbnc", "sncb"]) func `scores before boxes are a detector's`(_ order: String)
    async throws
  {
    let shapes: [Character: [Int32]] = ["s": [1, 10], "b": [1, 10, 4], "n": [1], "c": [1, 10]]
    let numbers: [Character: Int] = ["s": 1, "b": 3, "n": 0, "c": 2]
    var model = TestModel(tensors: [.init(shape: [1, 32, 64, 3], name: "image")], inputs: [0])
    for role in order {
      let shape = shapes[role] ?? []
      let begin = model.constant([0, 0, 0, 0])
      let count = shape.reduce(1, *)
      let part = model.append(
        65, [0, begin, model.constant([1, 1, count, 1])], makes: .init(shape: [1, 1, count, 1]))
      let name = "StatefulPartitionedCall:\(numbers[role] ?? 9)"
      model.graphs[0].outputs.append(
        model.append(22, [part, model.constant(shape)], makes: .init(shape: shape, name: name)))
    }
    let source = ModelSource.memory(ModelBytes(model.bytes(), name: "m"))
    #expect(try ModelInspection(of: source).family == "ssd-postprocess")
    _ = try await ObjectDetector(model: source)
    let error = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: source) }
    #expect(
      error?.message == "'m' is not an image classifier: it is a detector of the family 'ssd-postprocess'")
    #expect(error?.remedy.description == "Use ObjectDetector")
  }

  /// A model whose outputs are the first numbers of its image.
  static func model(_ names: [String], _ shapes: [[Int32]]) -> ModelSource {
    var model = TestModel(tensors: [.init(shape: [1, 32, 64, 3], name: "image")], inputs: [0])
    for (name, shape) in zip(names, shapes) {
      let count = shape.reduce(1, *)
      let begin = model.constant([0, 0, 0, 0])
      let part = model.append(
        65, [0, begin, model.constant([1, 1, count, 1])], makes: .init(shape: [1, 1, count, 1]))
      model.graphs[0].outputs.append(
        model.append(22, [part, model.constant(shape)], makes: .init(shape: shape, name: name)))
    }
    return .memory(ModelBytes(model.bytes(), name: "m"))
  }

  struct Incomplete: Sendable, CustomTestStringConvertible {
    var names: [String]
    var shapes: [[Int32]]
    /// The beginning of the reason; nil for a classifier.
    var reason: String?
    var testDescription: String { "\(zip(names, shapes).map { "\($0) \($1)" })" }
  }

  static let detector = "it is a detector without its boxes: it outputs "
  static let list = "it outputs a list of classes and their scores without boxes, "
  static let incomplete = [
    Incomplete(
      names: ["detection_scores", "detection_classes"], shapes: [[1, 10], [1, 10]], reason: detector),
    Incomplete(
      names: ["detection_classes", "detection_scores"], shapes: [[1, 10], [1, 10]], reason: detector),
    Incomplete(names: ["detection_scores"], shapes: [[1, 10]], reason: detector),
    Incomplete(
      names: ["detection_scores", "detection_classes", "num_detections"], shapes: [[1, 10], [1, 10], [1]],
      reason: detector),
    Incomplete(
      names: ["TFLite_Detection_PostProcess:1", "TFLite_Detection_PostProcess:2"],
      shapes: [[1, 10], [1, 10]], reason: detector),
    Incomplete(names: ["scores", "classes"], shapes: [[1, 5], [1, 5]], reason: list),
    Incomplete(names: ["top/labels", "top/confidences"], shapes: [[1, 5], [1, 5]], reason: list),
    Incomplete(names: ["scores"], shapes: [[1, 10]]),
    Incomplete(names: ["person_detection/scores"], shapes: [[1, 2]]),
    Incomplete(names: ["scores", "classes"], shapes: [[1, 5], [1, 7]]),
    Incomplete(names: ["class_scores", "attributes"], shapes: [[1, 5], [1, 5]]),
    Incomplete(names: ["labels"], shapes: [[1, 5]]),
  ]

  @Test(arguments: incomplete)
  func `scores and classes without boxes are not a classifier's`(_ row: Incomplete) async throws {
    let source = Self.model(row.names, row.shapes)
    for activation in [nil, ScoreActivation.none] {
      var options = ObjectDetector.Options()
      options.scoreActivation = activation
      let inspection = try ModelInspection(of: source, options: options)
      #expect(inspection.family == (row.reason == nil ? "classifier" : nil), "\(inspection.reason)")
      guard let reason = row.reason else { continue }
      #expect(inspection.reason.hasPrefix(reason + "'\(row.names[0])' float32"), "\(inspection.reason)")
      var labeling = ImageLabeler.Options()
      labeling.scoreActivation = activation
      let chosen = (options, labeling)
      for error in [
        await Self.error { () throws(FoveaError) in
          _ = try await ImageLabeler(model: source, options: chosen.1)
        },
        await Self.error { () throws(FoveaError) in
          _ = try await ObjectDetector(model: source, options: chosen.0)
        },
        await Self.error { () throws(FoveaError) in _ = try await ImageSegmenter(model: source) },
      ] {
        #expect(error?.message == "Fovea cannot use 'm': \(inspection.reason)")
        #expect(error?.remedy == inspection.needs.first)
      }
    }
  }

  struct Outputs: Sendable, CustomTestStringConvertible {
    var shapes: [[Int32]]
    var names = ["scores", "boxes", "num", "classes"]
    var isDetector = true
    var testDescription: String { "\(zip(names, shapes).map { "\($0) \($1)" })" }
  }

  static let outputs = [
    Outputs(shapes: [[1, 12], [1, 12, 4]]), Outputs(shapes: [[1, 10], [10, 4]]),
    Outputs(shapes: [[1, 10], [1, 4, 10], [1], [1, 10]]),
    Outputs(shapes: [[1, 10], [1, 10, 1, 4], [1], [1, 10]]),
    Outputs(shapes: [[1, 10], [1, 40], [1], [1, 10]]),
    Outputs(shapes: [[1, 10], [1, 40], [1], [1, 10]], names: ["a", "b", "c", "d"]),
    Outputs(shapes: [[1, 40], [1, 10], [1, 10], [1]], names: ["a", "b", "c", "d"]),
    Outputs(shapes: [[1, 40], [1, 10]], names: ["detection_boxes", "detection_scores"]),
    Outputs(shapes: [[1, 1], [1, 40], [1, 10], [1, 10]], names: ["num", "boxes", "classes", "scores"]),
    // Classifiers with other heads: one box, features, and four attributes of a face.
    Outputs(shapes: [[1, 10], [1, 4]], isDetector: false),
    Outputs(shapes: [[1, 10], [1, 40]], names: ["scores", "features"], isDetector: false),
    Outputs(
      shapes: [[1, 8], [1, 2], [1, 2], [1, 1]], names: ["mood", "gender", "glasses", "age"],
      isDetector: false),
  ]

  @Test(arguments: outputs)
  func `boxes next to scores are not a classifier's, even if no family has them`(_ row: Outputs) async throws
  {
    let source = Self.model(row.names, row.shapes)
    #expect(try ModelInspection(of: source).family == (row.isDetector ? nil : "classifier"))
    let error = await Self.error { () throws(FoveaError) in _ = try await ImageLabeler(model: source) }
    #expect(error?.code.rawValue == (row.isDetector ? "not-a-classifier" : nil))
  }
}
