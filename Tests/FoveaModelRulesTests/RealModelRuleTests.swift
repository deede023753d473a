// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaMetadata
import FoveaModelRules
import FoveaTesting
import Testing

/// The rules that real models break: by number, "!" before those that Fovea rejects under Google's names as
/// well.
@Suite struct RealModelRuleTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var path: String
    var broken: String
    var family: String? = "classifier"
    var normalization: Normalization?
    var testDescription: String { path + (normalization == nil ? "" : ", normalisation given") }
  }

  static let fixtures = [
    Row(path: "classifier_uint8", broken: ""),
    // The graph itself shows the pixel range it expects.
    Row(path: "colors_rescaled", broken: "7 15"),
    Row(path: "colors_unit", broken: "!7 !15"),
    Row(path: "colors_unit", broken: "7 15", normalization: InputRuleTests.half),
    Row(path: "colors_open_size", broken: "!4 !7 !15", family: nil),
    Row(path: "yolov8", broken: "7 9 15 16 D1 D3", family: "yolov8"),
    Row(path: "yolov8_int8", broken: "5 9 16 D1 D3", family: "yolov8"),
    Row(path: "ssd_postprocess", broken: "9 16 D3", family: "ssd-postprocess"),
    Row(path: "feature_maps", broken: "!7 !9 !15", family: nil),
  ]

  @Test(arguments: fixtures) func `a small model breaks exactly these rules`(_ row: Row) throws {
    try Self.check(row, FixtureModel.source(row.path))
  }

  static let shared = [
    Row(path: "classify/mlkit_bird.tflite", broken: ""),
    Row(path: "classify/mlkit_automl", broken: ""),
    Row(path: "classify/mlkit_automl/automl_labeler_manifest.json", broken: ""),
    Row(path: "classify/tfls_mobilenet_v1_0.25_224_1_metadata_1.tflite", broken: ""),
    Row(path: "classify/tfls_mobilenet_v1_0.25_224_1_default_1.tflite", broken: "!7 !15"),
    Row(path: "classify/vww_person_mobilenet_v1_0.25_96_int8.tflite", broken: "5 10"),
    Row(
      path: "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite", broken: "9 16",
      family: "ssd-postprocess"),
    Row(
      path: "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29_no_metadata.tflite", broken: "9 16 D3",
      family: "ssd-postprocess"),
    Row(path: "detect/automl_traffic_model.tflite", broken: "1 9 16 D1 D3", family: "ssd-postprocess"),
    Row(path: "detect/yolox_nano.tflite", broken: "7 9 15 16 D1 D3", family: "yolox"),
  ]

  @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: shared)
  func `a model of Google's breaks exactly these rules`(_ row: Row) throws {
    try Self.check(row, .file(SharedData.path("models/" + row.path)))
  }

  private static func check(_ row: Row, _ model: ModelSource) throws {
    let report = try CompatibilityReport(of: model, normalization: row.normalization)
    let broken = report.broken.map { ($0.verdict == .failed ? "!" : "") + $0.number }.joined(separator: " ")
    #expect(broken == row.broken, "\(report.broken.map { "\($0.number): \($0.finding)" })")
    #expect(report.family == row.family)
    let refused = report.rules.first { $0.verdict == .failed }
    #expect(ModelRefusal(report)?.rule == refused)
    for rule in report.broken {
      let fix = rule.remedy?.text(\.program) ?? ""
      #expect(!fix.isEmpty)
      // A command in a fix is a whole line to type.
      if fix.contains("add-metadata") {
        #expect(fix.contains(": fovea model add-metadata FILE ") && fix.hasSuffix(" --output NEW"), "\(fix)")
      }
    }
  }

  @Test func `the embedded models break no rule that matters to Fovea`() throws {
    for model in EmbeddedModel.allCases.map(ModelSource.embedded) {
      #expect(try CompatibilityReport(of: model).isAcceptedByFovea)
    }
  }
}

/// Files that are not a usable model: an error with a status, never a report.
@Suite struct UnusableModelTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: String
    var status: Int?
    /// Creates it in the folder and returns its path.
    var make: @Sendable (TemporaryFolder) throws -> String
  }

  static let cases = [
    Row(testDescription: "a missing path", code: "metadata-missing-file", status: 100) {
      $0.path + "/none.tflite"
    },
    Row(testDescription: "no path at all", code: "metadata-missing-file", status: 100) { _ in "" },
    Row(testDescription: "a folder without a model", code: "metadata-no-model", status: 100) { $0.path },
    Row(testDescription: "an empty file", code: "model-unreadable", status: 102) {
      try $0.write("empty.tflite", "")
    },
    Row(testDescription: "a text", code: "model-invalid", status: 3) {
      try $0.write("text.tflite", "not a model\n")
    },
    Row(testDescription: "a truncated model", code: "model-invalid", status: 3) {
      try $0.write("half.tflite", Array(RuleModel().bytes().prefix(500)))
    },
    Row(testDescription: "a manifest that is not JSON", code: "metadata-bad-manifest", status: 2) {
      try $0.write("manifest.json", "{")
    },
    Row(testDescription: "a device", code: "model-unreadable", status: 102) { _ in "/dev/null" },
  ]

  @Test(arguments: cases) func `a model that cannot be opened has a status and a remedy`(_ row: Row) throws {
    let folder = try TemporaryFolder()
    let path = try row.make(folder)
    let error = try #require(throws: FoveaError.self) { try CompatibilityReport(of: .file(path)) }
    #expect(
      error.code.rawValue == row.code || row.status == 3 && SupportStatus(error)?.rawValue == 3, "\(error)")
    #expect(SupportStatus(error)?.rawValue == row.status)
    #expect(!error.message.isEmpty && !error.remedy.description.isEmpty)
  }

  @Test func `an option out of its range is not a fault of the model`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("model.tflite", InputRuleTests.float.bytes())
    let option = Normalization(mean: [1, 2], standardDeviation: [1, 2])
    let error = #expect(throws: FoveaError.self) {
      try CompatibilityReport(of: .file(path), normalization: option)
    }
    if let error { #expect(SupportStatus(error) == nil, "\(error)") }
  }
}
