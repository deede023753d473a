// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaMetadata
import FoveaModelRules
import FoveaTesting
import Testing

/// Classifiers assembled from a model and a head break no rule.
@Suite struct HeadedModelRuleTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var model: String
    var form: LinearHead.Form
    /// The numbers of the rules that only ML Kit has.
    var broken = ""
    var testDescription: String { "\(model) with a \(form) head" }
  }

  @Test(arguments: [
    Row(model: "classifier_uint8", form: .uint8), Row(model: "classifier_uint8", form: .float),
    Row(model: "logits", form: .float),
  ])
  func `a bundle breaks no rule`(_ row: Row) throws {
    let path = PackageRoot.path + "/Tests/Fixtures/models/\(row.model).tflite"
    try Self.check(row, [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  @Test(
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)),
    arguments: [
      Row(model: "own/coarse_int8", form: .int8), Row(model: "own/coarse_int8", form: .float),
      Row(model: "own/coarse_fp16", form: .float), Row(model: "classify/mlkit_object_labeler", form: .uint8),
      Row(model: "classify/tfls_mobilenet_v1_0.25_224_1_metadata_1", form: .float),
      // Its input is int8, which ML Kit does not accept.
      Row(model: "classify/vww_person_mobilenet_v1_0.25_96_int8", form: .int8, broken: "5"),
    ])
  func `a bundle on another model breaks no rule`(_ row: Row) throws {
    try Self.check(row, SharedData.bytes("models/\(row.model).tflite"))
  }

  private static func check(_ row: Row, _ model: [UInt8]) throws {
    let graph = try EmbeddingGraph(model: model, name: row.model)
    let head = LinearHead(
      weights: [Float](repeating: 0.25, count: 2 * graph.count), bias: [0, 1], form: row.form,
      logitRange: -4...4)
    var description = ClassifierDescription(labels: ["cat", "dog"])
    description.name = "pets"
    description.scoreThreshold = 0.5
    description.training = Array("{}".utf8)
    description.normalization =
      graph.normalization ?? Normalization(mean: [127.5], standardDeviation: [127.5])
    let folder = try TemporaryFolder()
    try AutoMLBundleWriter().write(
      model: graph.classifier(head, description), labels: description.labels, to: folder["pets"])
    let report = try CompatibilityReport(of: .file(folder["pets"]))
    #expect(report.family == "classifier")
    #expect(report.broken.map(\.number).joined(separator: " ") == row.broken)
    #expect(!report.rules.contains { $0.verdict == .failed })
    #expect(report.rules.count { $0.verdict == .passed } >= 12)
  }
}
