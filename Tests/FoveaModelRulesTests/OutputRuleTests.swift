// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaMetadata
import FoveaModelRules
import FoveaTesting
import Testing

@Suite struct OutputRuleTests {
  static func outputs(_ tensors: RuleModel.Tensor...) -> RuleModel { RuleModel(outputs: tensors) }
  static func labeled(_ count: Int, change: @escaping @Sendable (inout ModelMetadata) -> Void = { _ in })
    -> @Sendable () -> (ModelMetadata, [AssociatedFileContents])
  {
    { (RuleModel.metadata(labels: true, change: change), [RuleModel.labels(count)]) }
  }

  static let cases = [
    RuleCase(testDescription: "a row of scores breaks nothing", model: outputs(RuleModel.uint8(1, 12))),
    RuleCase(testDescription: "[1, 1, 1, N] breaks nothing", model: outputs(RuleModel.uint8(1, 1, 1, 12))),
    RuleCase(testDescription: "as many labels as classes break nothing", metadata: labeled(12)),
    RuleCase(
      testDescription: "two rows break nothing",
      model: outputs(RuleModel.uint8(1, 12), RuleModel.uint8(1, 12))),
    RuleCase(
      testDescription: "three dimensions", model: outputs(RuleModel.uint8(1, 3, 4)), number: "9", status: 400,
      text:
        "Unexpected number of dimensions for output index 0: got 3D, expected either 2D (BxN with B=1) or 4D "
        + "(BxHxWxN with B=1, W=1, H=1)."),
    RuleCase(
      testDescription: "one dimension", model: outputs(RuleModel.uint8(12)), number: "9", status: 400,
      text:
        "Unexpected number of dimensions for output index 0: got 1D, expected either 2D (BxN with B=1) or 4D "
        + "(BxHxWxN with B=1, W=1, H=1)."),
    RuleCase(
      testDescription: "a map", model: outputs(RuleModel.uint8(1, 2, 2, 3)), number: "9", status: 400,
      text: "Unexpected WxH sizes for output index 0: got 2x2, expected 1x1."),
    RuleCase(
      testDescription: "two rows at once", model: outputs(RuleModel.uint8(2, 6)), number: "9", status: 400,
      text: "The output array is expected to have a batch size of 1. Got 2 for output index 0."),
    RuleCase(
      testDescription: "features besides the scores, which Fovea ignores",
      model: outputs(RuleModel.uint8(1, 12), RuleModel.uint8(1, 3, 4)), number: "9", verdict: .differs,
      status: 400),
    RuleCase(
      testDescription: "int8 scores, which Fovea reads", model: outputs(RuleModel.int8(1, 12)), number: "10",
      verdict: .differs, status: 401,
      text:
        "Type mismatch for output tensor scores. Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got INT8."
    ),
    RuleCase(
      testDescription: "int32 scores", model: outputs(RuleModel.int32(1, 12)), number: "10", status: 401),
    RuleCase(
      testDescription: "heads of two types", model: outputs(RuleModel.uint8(1, 12), RuleModel.float(1, 12)),
      number: "10", verdict: .differs, status: 401),
    RuleCase(
      testDescription: "too few labels", metadata: labeled(11), number: "12", status: 203,
      text: "Got 12 class(es) for output index 0, expected 11 according to the label map."),
    RuleCase(
      testDescription: "too many labels", metadata: labeled(13), number: "12", status: 203,
      text: "Got 12 class(es) for output index 0, expected 13 according to the label map."),
    RuleCase(
      testDescription: "too few display names",
      metadata: {
        (
          RuleModel.metadata(labels: true) {
            $0.subgraphs[0].outputs[0].files.append(
              AssociatedFile(name: "labels-en.txt", kind: .axisLabels, locale: "en"))
          }, [RuleModel.labels(12), RuleModel.labels(3, name: "labels-en.txt")]
        )
      }, number: "12", verdict: .differs, status: 205),
    RuleCase(
      testDescription: "labels that are not text",
      metadata: {
        (RuleModel.metadata(labels: true), [.init(name: "labels.txt", contents: [0xFF, 0, 0xFE])])
      },
      number: "12", status: 202),
    RuleCase(
      testDescription: "a calibration without a file",
      metadata: labeled(12) { $0.subgraphs[0].outputs[0].processUnits = [.scoreCalibration(.init())] },
      number: "13", status: 206),
    RuleCase(
      testDescription: "a calibration with too few lines",
      metadata: {
        let metadata = RuleModel.metadata(labels: true) {
          $0.subgraphs[0].outputs[0].processUnits = [.scoreCalibration(.init())]
          $0.subgraphs[0].outputs[0].files.append(
            AssociatedFile(name: "calibration.txt", kind: .axisScoreCalibration))
        }
        return (
          metadata, [RuleModel.labels(12), .init(name: "calibration.txt", contents: Array("1,1,0\n".utf8))]
        )
      }, number: "13", status: 206),
    RuleCase(
      testDescription: "a float32 model without metadata", model: InputRuleTests.float, number: "15",
      status: 208),
  ]

  @Test(arguments: cases) func `an output that breaks a rule is reported with its status`(_ row: RuleCase)
    throws
  {
    try row.check()
  }

  @Test func `metadata for other outputs than the model's are rejected, though nothing else would notice`()
    throws
  {
    // The writer does not write them, so the outputs are removed from the graph afterwards: two described,
    // one present.
    let folder = try TemporaryFolder()
    let two = RuleModel(outputs: [RuleModel.uint8(1, 12), RuleModel.uint8(1, 12)])
    let metadata = RuleModel.metadata { $0.subgraphs[0].outputs.append(TensorMetadata(name: "features")) }
    let described = try MetadataWriter.write(metadata, to: two.bytes())
    let path = try folder.write("model.tflite", try Self.withoutLastOutput(described))
    let report = try CompatibilityReport(of: .file(path))
    let rule = try #require(report.rules.first { $0.number == "11" })
    #expect(rule.verdict == .failed && rule.status?.rawValue == 203)
    #expect(
      rule.statusText == "Mismatch between number of output tensors (1) and output tensors metadata (2).")
  }

  @Test func `labels with the background at another end than the model's own are rejected`() throws {
    let folder = try TemporaryFolder()
    let names = "abcdefghijk".map { "thing \($0)" }
    let own = AssociatedFileContents(
      name: "labels.txt", contents: Array((["background"] + names).joined(separator: "\n").utf8))
    let bytes = try MetadataWriter.write(
      RuleModel.metadata(labels: true), files: [own], to: Self.outputs(RuleModel.uint8(1, 12)).bytes())
    let path = try folder.write("model.tflite", bytes)
    let cases: [([String], CompatibilityRule.Verdict)] = [
      (["background"] + names, .passed), (names + ["background"], .failed),
    ]
    for (labels, verdict) in cases {
      let file = try folder.write("given.txt", labels.joined(separator: "\n"))
      let report = try CompatibilityReport(of: .file(path), labelFile: file)
      let rule = try #require(report.rules.first { $0.number == "12" })
      #expect(rule.verdict == verdict, "\(rule.finding)")
      #expect(rule.finding.contains("has the background as class 11, line 12") == (verdict == .failed))
    }
  }

  /// The file with a list of outputs that is one shorter: its only list of the tensors 2 and 4.
  static func withoutLastOutput(_ bytes: [UInt8]) throws -> [UInt8] {
    let list: [UInt8] = [2, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0]
    let place = try #require(
      bytes.indices.dropLast(list.count).first { bytes[$0..<$0 + list.count].elementsEqual(list) })
    var changed = bytes
    changed[place] = 1
    return changed
  }
}
