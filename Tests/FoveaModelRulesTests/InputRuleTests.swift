// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaMetadata
import FoveaModelRules
import FoveaTesting
import Testing

/// A model with one fault, and its report.
struct RuleCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var model = RuleModel()
  /// Metadata and files; nil for a model without.
  var metadata: (@Sendable () -> (ModelMetadata, [AssociatedFileContents]))?
  var normalization: Normalization?
  /// The broken rule; nil if there is none.
  var number: String?
  var verdict = CompatibilityRule.Verdict.failed
  var status: Int?
  var text: String?

  func report(_ folder: TemporaryFolder) throws -> CompatibilityReport {
    try CompatibilityReport(of: .file(path(folder)), normalization: normalization)
  }

  func path(_ folder: TemporaryFolder) throws -> String {
    var bytes = model.bytes()
    if let (metadata, files) = metadata?() {
      bytes = try MetadataWriter.write(metadata, files: files, to: bytes)
    }
    return try folder.write("model.tflite", bytes)
  }

  func check() throws {
    let folder = try TemporaryFolder()
    let report = try report(folder)
    let broken = report.broken
    guard let number else {
      #expect(broken.isEmpty, "\(broken)")
      #expect(report.isAcceptedByGoogle && report.isAcceptedByFovea)
      return
    }
    let rule = try #require(report.rules.first { $0.number == number })
    #expect(rule.verdict == verdict, "\(rule)")
    #expect(rule.status?.rawValue == status, "\(rule)")
    if let text { #expect(rule.statusText == text) }
    #expect(rule.remedy?.description.isEmpty == false && !rule.finding.isEmpty)
    #expect(!report.isAcceptedByGoogle)
    #expect(report.isAcceptedByFovea == !broken.contains { $0.verdict == .failed })
    // The first failing rule is the reason why Google's names reject the model.
    let refusal = ModelRefusal(report)
    #expect(refusal?.rule == broken.first { $0.verdict == .failed })
    if let refusal, verdict == .failed, let text, refusal.rule.number == number {
      #expect(refusal.message.hasPrefix(text))
      #expect(refusal.rule.status?.rawValue == status)
    }
  }
}

@Suite struct InputRuleTests {
  static let half = Normalization(mean: [127.5], standardDeviation: [127.5])
  static let float = RuleModel(inputs: [RuleModel.float(1, 2, 2, 3)], outputs: [RuleModel.float(1, 12)])
  static let missing =
    "Input tensor has type kTfLiteFloat32: it requires specifying NormalizationOptions metadata to preprocess "
    + "input images."

  static let cases = [
    RuleCase(testDescription: "uint8 without metadata breaks nothing"),
    RuleCase(
      testDescription: "float32 with a normalisation breaks nothing", model: float,
      metadata: { (RuleModel.metadata(normalization: half), []) }),
    RuleCase(
      testDescription: "two inputs",
      model: RuleModel(inputs: [RuleModel.uint8(1, 2, 2, 3), RuleModel.uint8(1, 2)]),
      number: "1", status: 300, text: "Models are assumed to have a single input."),
    RuleCase(
      testDescription: "two subgraphs", model: RuleModel(graphs: 2), number: "1", verdict: .differs,
      status: 207),
    RuleCase(
      testDescription: "metadata without an input",
      metadata: { (RuleModel.metadata { $0.subgraphs[0].inputs = [] }, []) }, number: "1", status: 300,
      text: "Models are assumed to have a single input TensorMetadata."),
    RuleCase(
      testDescription: "a row instead of an image", model: RuleModel(inputs: [RuleModel.uint8(1, 12)]),
      number: "2", status: 301, text: "Only 4D tensors in BHWD layout are supported."),
    RuleCase(
      testDescription: "one channel, which Fovea reads as grey",
      model: RuleModel(inputs: [RuleModel.uint8(1, 24, 25, 1)], outputs: [RuleModel.uint8(1, 600)]),
      number: "3",
      verdict: .differs, status: 301,
      text: "The input tensor should have dimensions 1 x height x width x 3. Got 1 x 24 x 25 x 1."),
    RuleCase(
      testDescription: "two images", model: RuleModel(inputs: [RuleModel.uint8(2, 1, 2, 3)]), number: "3",
      status: 301, text: "The input tensor should have dimensions 1 x height x width x 3. Got 2 x 1 x 2 x 3."),
    RuleCase(
      testDescription: "planes, which Fovea reads", model: RuleModel(inputs: [RuleModel.uint8(1, 3, 2, 2)]),
      number: "3", verdict: .differs, status: 301),
    RuleCase(
      testDescription: "int8, which Fovea reads",
      model: RuleModel(inputs: [RuleModel.int8(1, 2, 2, 3)], outputs: [RuleModel.float(1, 12)]), number: "5",
      verdict: .differs, status: 302,
      text:
        "Type mismatch for input tensor image. Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got INT8."
    ),
    RuleCase(
      testDescription: "int32, which Fovea reads",
      model: RuleModel(inputs: [RuleModel.int32(1, 2, 2, 3)], outputs: [RuleModel.float(1, 12)]), number: "5",
      verdict: .differs, status: 302),
    RuleCase(
      testDescription: "text", model: RuleModel(inputs: [RuleModel.text], outputs: [RuleModel.text]),
      number: "5", status: 302),
    RuleCase(
      testDescription: "grey metadata",
      metadata: {
        (
          RuleModel.metadata {
            $0.subgraphs[0].inputs[0].content = .image(colorSpace: .grayscale, defaultSize: nil)
          },
          []
        )
      }, number: "6", status: 2, text: "Only RGB color space is supported for now."),
    RuleCase(
      testDescription: "an unknown colour space, which Fovea reads as RGB",
      metadata: {
        (
          RuleModel.metadata {
            $0.subgraphs[0].inputs[0].content = .image(colorSpace: .unknown, defaultSize: nil)
          },
          []
        )
      }, number: "6", verdict: .differs, status: 2),
    RuleCase(
      testDescription: "an input declared not to be an image",
      metadata: { (RuleModel.metadata { $0.subgraphs[0].inputs[0].content = .features }, []) }, number: "6",
      verdict: .differs, status: 209),
    RuleCase(
      testDescription: "float32 without a normalisation", model: float, number: "7", status: 208,
      text: missing),
    RuleCase(
      testDescription: "float32 whose metadata has no normalisation", model: float,
      metadata: { (RuleModel.metadata(), []) }, number: "7", status: 208, text: missing),
    RuleCase(
      testDescription: "float32 with the normalisation as an option", model: float, normalization: half,
      number: "7", verdict: .differs, status: 208, text: missing),
    RuleCase(
      testDescription: "two means", model: float,
      metadata: { (RuleModel.metadata(normalization: .init(mean: [0, 0], standardDeviation: [1, 1])), []) },
      number: "8", status: 204,
      text: "NormalizationOptions: only 1 or 3 mean and std values are supported, got 2."),
  ]

  @Test(arguments: cases) func `an input that breaks a rule is reported with its status`(_ row: RuleCase)
    throws
  {
    try row.check()
  }

  @Test func `a normalisation in the metadata is not requested again`() throws {
    let folder = try TemporaryFolder()
    let row = RuleCase(
      testDescription: "", model: Self.float, metadata: { (RuleModel.metadata(normalization: Self.half), []) }
    )
    let rules = try row.report(folder).rules
    #expect(rules.first { $0.number == "7" }?.verdict == .passed)
    #expect(rules.first { $0.number == "8" }?.verdict == .passed)
    #expect(rules.map(\.number) == (1...17).map(String.init))
  }
}
