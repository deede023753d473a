// SPDX-License-Identifier: Apache-2.0

import Foundation
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
    var model = TestModel(tensors: [.init(shape: [1, 32, 64, 3], name: "image")], inputs: [0])
    for (name, shape) in zip(row.names, row.shapes) {
      let count = shape.reduce(1, *)
      let begin = model.constant([0, 0, 0, 0])
      let part = model.append(
        65, [0, begin, model.constant([1, 1, count, 1])], makes: .init(shape: [1, 1, count, 1]))
      model.graphs[0].outputs.append(
        model.append(22, [part, model.constant(shape)], makes: .init(shape: shape, name: name)))
    }
    let source = ModelSource.memory(ModelBytes(model.bytes(), name: "m"))
    #expect(try ModelInspection(of: source).family == (row.isDetector ? nil : "classifier"))
    let error = await Self.error { () throws(FoveaError) in _ = try await ImageLabeler(model: source) }
    #expect(error?.code.rawValue == (row.isDetector ? "not-a-classifier" : nil))
  }
}
