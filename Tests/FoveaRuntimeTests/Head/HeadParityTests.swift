// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaMetadata
import FoveaRuntime
import FoveaTesting
import Testing

/// A cut model with a head computed by hand, compared with the file that contains that head.
@Suite struct HeadParityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var count: Int
    var layer = EmbeddingLayer.pool
    /// nil for a float embedding.
    var form: LinearHead.Form?
    var testDescription: String { "\(name) at \(layer)" }

    func model() throws -> [UInt8] {
      if name == "embedded" { return TestModels.classifierBytes() }
      if name.contains("/") { return try SharedData.bytes("models/\(name).tflite") }
      let url = "\(PackageRoot.path)/Tests/Fixtures/models/\(name).tflite"
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: url)))
    }
  }

  static let own = [
    Row(name: "embedded", count: 1280, form: .int8),
    Row(name: "embedded", count: 128, layer: .last, form: .int8),
    Row(name: "classifier_uint8", count: 3, form: .uint8),
    Row(name: "classifier_uint8", count: 3, layer: .last, form: .uint8),
    Row(name: "logits", count: 3), Row(name: "described_classify", count: 3),
    Row(name: "grey_last", count: 1, layer: .last),
  ]

  static let shared = [
    Row(name: "classify/coral_mobilenet_v1_0.25_128_quant", count: 256, form: .uint8),
    Row(name: "classify/coral_mobilenet_v1_0.5_160_quant", count: 512, form: .uint8),
    Row(name: "classify/coral_mobilenet_v2_1.0_224_inat_bird_quant", count: 1280, form: .uint8),
    Row(name: "classify/coral_mobilenet_v2_1.0_224_inat_insect_quant", count: 1280, form: .uint8),
    Row(name: "classify/coral_mobilenet_v2_1.0_224_quant", count: 1280, form: .uint8),
    Row(name: "classify/lite-model_aiy_vision_classifier_birds_V1_3", count: 1280, form: .uint8),
    Row(name: "classify/mlkit_automl/automl_labeler_model", count: 1280, form: .uint8),
    Row(name: "classify/mlkit_bird", count: 1280, form: .uint8),
    // Two hidden layers after the mean.
    Row(name: "classify/mlkit_object_labeler", count: 1280, form: .uint8),
    Row(name: "classify/mlkit_object_labeler", count: 1024, layer: .last, form: .uint8),
    Row(name: "classify/tfls_automl_labeler_model", count: 1280, form: .uint8),
    Row(name: "classify/tfls_mobilenet_v1_0.25_224_1_default_1", count: 256),
    Row(name: "classify/tfls_mobilenet_v1_0.25_224_1_metadata_1", count: 256),
    Row(name: "classify/tfls_mobilenet_v1_0.25_224_quant", count: 256, form: .uint8),
    Row(
      name: "classify/tfls_mobilenet_v1_0.25_224_quant_without_subgraph_metadata", count: 256, form: .uint8),
    // Ends in logits.
    Row(name: "classify/tfls_mobilenet_v2_1.0_224_quant", count: 1280, form: .uint8),
    // int8 from the image to the scores.
    Row(name: "classify/vww_person_mobilenet_v1_0.25_96_int8", count: 256, form: .int8),
    Row(name: "own/coarse_fp16", count: 1280), Row(name: "own/coarse_int8", count: 1280, form: .int8),
  ]

  @Test(arguments: own) func `a head in the file gives the same as one computed by hand`(_ row: Row) throws {
    try Self.check(row)
  }

  @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: shared)
  func `a head on another model gives the same as one computed by hand`(_ row: Row) throws {
    try Self.check(row)
  }

  private static func check(_ row: Row) throws {
    let model = try HeadedModel(row.model(), row.layer)
    #expect(model.graph.count == row.count)
    let seeds: ClosedRange<UInt64> = 1...5
    let embeddings = try seeds.map(model.embedding)
    #expect(embeddings.allSatisfy { $0.count == row.count && $0.allSatisfy(\.isFinite) })
    #expect(Set(embeddings).count > 1)
    let forms = [LinearHead.Form.float] + (row.form.map { [$0] } ?? [])
    for form in forms {
      for activation in [LinearHead.Activation.softmax, .logistic] {
        let head = HeadedModel.head(for: embeddings, form, activation)
        let bytes = try model.graph.appending(head)
        let session = try Session(model: Model(bytes: bytes, name: "\(row.name)"))
        #expect(session.outputs.map(\.shape) == [[1, 5]])
        #expect(session.outputs[0].elementType == (form == .float ? .float32 : .uint8))
        for (seed, embedding) in zip(seeds, embeddings) {
          let expected = HeadedModel.scores(head, embedding)
          let actual = try HeadedModel.scores(session, seed)
          let worst = zip(actual, expected).map { abs($0 - $1) }.max() ?? 1
          #expect(worst <= (form == .float ? 1e-5 : 0.03), "\(form) \(activation) \(worst)")
        }
        if form == row.form {
          var auto = head
          auto.form = .auto
          #expect(try model.graph.appending(auto) == bytes)
        }
      }
    }
  }

  @Test func `the rewriting to int8 accepts float heads on uint8 models`() throws {
    try Self.checkRewriting(Row(name: "classifier_uint8", count: 3), tolerance: 0.1)
  }

  @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func `the rewriting to int8 changes the scores of a large model little`() throws {
    try Self.checkRewriting(
      Row(name: "classify/coral_mobilenet_v2_1.0_224_quant", count: 1280), tolerance: 0.1)
  }

  private static func checkRewriting(_ row: Row, tolerance: Float) throws {
    let model = try HeadedModel(row.model())
    let embeddings = try (1...5).map(model.embedding)
    for form in [LinearHead.Form.float, .uint8] {
      let bytes = try model.graph.appending(HeadedModel.head(for: embeddings, form))
      let stored = try Session(model: Model(bytes: bytes, name: "stored"))
      let fast = try Session(
        model: Model(bytes: #require(try Int8Rewrite.rewrite(bytes)), name: "rewritten"))
      for seed in 1...5 as ClosedRange<UInt64> {
        let (expected, actual) = try (HeadedModel.scores(stored, seed), HeadedModel.scores(fast, seed))
        let worst = zip(actual, expected).map { abs($0 - $1) }.max() ?? 1
        #expect(worst <= tolerance, "\(form) \(worst)")
      }
    }
  }
}
