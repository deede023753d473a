// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaRuntime
import FoveaTesting
import Testing

/// The first run of a model refuses the values that its task refuses, in the same words.
@Suite struct ModelTrialTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var model: [UInt8]
    /// A part of the error; nil for values that the task uses.
    var error: String?
  }

  /// A model whose output is the same for each image.
  private static func constant(_ values: [Float], _ shape: [Int32]) -> [UInt8] {
    var model = TestModel(tensors: [.init(shape: [1, 96, 96, 3], name: "image")], inputs: [0])
    let mean = model.append(
      40, [0, model.constant([0, 1, 2, 3])], makes: .init(shape: [1]), options: [0: 0])
    let nothing = model.append(18, [mean, model.floats([0], [1])], makes: .init(shape: [1]), options: [:])
    model.graphs[0].outputs = [
      model.append(
        0, [model.floats(values, shape), nothing], makes: .init(shape: shape, name: "Identity"), options: [:])
    ]
    return model.bytes()
  }

  /// A detector whose rows are x, y, x, y, score and class, with one object.
  private static func detector(score: Float, class number: Float) -> [UInt8] {
    constant([10, 10, 50, 50, score, number] + [Float](repeating: 0, count: 299 * 6), [1, 300, 6])
  }

  private static func fixture(_ name: String) throws -> [UInt8] {
    try SmallFile.bytes(of: PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite", limit: 1 << 24)
  }

  static func rows() throws -> [Row] {
    [
      Row(testDescription: "a detector's values", model: detector(score: 0.9, class: 2)),
      Row(testDescription: "a score of 1.9", model: detector(score: 1.9, class: 2), error: "1.9"),
      Row(testDescription: "a class of 2.5", model: detector(score: 0.9, class: 2.5), error: "2.5"),
      Row(
        testDescription: "rows of NaN", model: constant([Float](repeating: .nan, count: 1_800), [1, 300, 6]),
        error: "no number at all (NaN)"),
      Row(testDescription: "confidences", model: constant([0.1, 0.2, 0.7], [1, 3])),
      Row(
        testDescription: "a confidence of 1.2", model: constant([0.1, 1.2, 0.7], [1, 3]),
        error: "returned 1.2 as the confidence of class 1, expected 0 to 1"),
      Row(
        testDescription: "confidences of NaN", model: constant([.nan, .nan, .nan], [1, 3]),
        error: "returned no number at all (NaN)"),
      Row(testDescription: "a map", model: try fixture("map_scores")),
      Row(testDescription: "a map of NaN", model: try fixture("map_nan"), error: "nan"),
    ]
  }

  @Test(arguments: try rows())
  func `the first run gives the error of the task`(_ row: Row) async throws {
    let source = ModelSource.memory(ModelBytes(row.model, name: "m"))
    let inspection = try ModelInspection(of: source)
    let trial = try #require(inspection.trial)
    let session = try inspection.session()
    try trial.fill(session)
    try session.run()
    guard let part = row.error else { return try trial.check(session) }
    let error = #expect(throws: FoveaError.self) { try trial.check(session) }
    #expect(
      error?.code.rawValue == "invalid-output" && error?.message.contains(part) == true,
      "\(error?.message ?? "")")
    let asked = await #expect(throws: FoveaError.self) {
      switch inspection.family {
      case "classifier": _ = try await ImageLabeler(model: source).labels(in: try .grey())
      case "segmentation": _ = try await ImageSegmenter(model: source).segment(try .grey())
      default: _ = try await ObjectDetector(model: source).detect(in: try .grey())
      }
    }
    #expect(asked?.message == error?.message && asked?.code == error?.code)
  }

  @Test func `a model for another purpose has no such run`() throws {
    #expect(try ModelInspection(of: .memory(ModelBytes(Self.fixture("embedding"), name: "m"))).trial == nil)
  }
}
