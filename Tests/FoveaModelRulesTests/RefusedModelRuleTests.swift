// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaModelRules
import FoveaTesting
import Testing

/// Models that Fovea rejects, many with a classifier's outputs: the rules are ML Kit's, the rejection is
/// Fovea's.
@Suite struct RefusedModelRuleTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var model: String
    /// The rejected model; MODEL stands for the path.
    var message: String
    var remedy: String
    var isAcceptedByGoogle = false
    var testDescription: String { model }
  }

  private static let other = "Use a detector or a classifier; in Swift, FoveaRuntime runs any model"

  static let rows = [
    Row(
      model: "edge_tpu",
      message:
        "Fovea cannot use 'MODEL': it is compiled for Google's Edge TPU (its operator is 'edgetpu-custom-op')",
      remedy: "Use the file that it was compiled from: its name is usually the same without '_edgetpu'",
      isAcceptedByGoogle: true),
    Row(
      model: "embedding",
      message:
        "'MODEL' is neither a detector nor a classifier: it outputs a vector of 128 features (an embedding), not"
        + " scores",
      remedy:
        "Use ImageEmbedder for features, or a classifier; if these are classes, supply their 128 labels (Options.labelFile)"
    ),
    Row(
      model: "landmarks",
      message:
        "Fovea cannot use 'MODEL': it outputs the landmarks of an eye, 'eye_contours' float32 [1, 213], for a crop"
        + " that another model has found",
      remedy: "Use the model that finds the face, the hand or the person: a detector"
    ),
    Row(
      model: "sound",
      message:
        "Fovea cannot use 'MODEL': it takes sound or another series of numbers, 'image' float32 [1, 16000], not an"
        + " image",
      remedy: other),
    Row(
      model: "table", message: "Fovea cannot use 'MODEL': it takes text, 'row', not an image", remedy: other
    ),
    Row(
      model: "arithmetic",
      message:
        "'MODEL' has 2 inputs ('left' float32 [1, -1], 'right' float32 [1, -1]); an image model must have"
        + " exactly one",
      remedy: "Use a model with one image input; ModelInspection shows what this one has"),
    Row(
      model: "one_pixel",
      message:
        "The input of 'MODEL' is 'image' float32 [1, 1, 1, 3], one pixel: an open size was exported as 1, and Fovea"
        + " needs a fixed one",
      remedy: "Export the model with a fixed size, in Keras: keras.Input((224, 224, 3))"),
    Row(
      model: "grey_logit",
      message:
        "'MODEL' is not an image classifier: it outputs one number without a sigmoid, as a regression does",
      remedy:
        "If the number is a logit, give Options.scoreActivation = .sigmoid, or the labels of its two classes (Options.labelFile)"
    ),
  ]

  @Test(arguments: rows) func `check rejects what the labeler rejects, with the same message`(_ row: Row)
    async throws
  {
    let model = FixtureModel.source(row.model)
    let report = try CompatibilityReport(of: model)
    let labeling = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    let message = row.message.replacing("MODEL", with: report.name)
    #expect(labeling?.message == message && labeling?.remedy.description == row.remedy)
    #expect(report.refusal?.message == message, "\(report.refusal?.message ?? "none")")
    #expect(report.refusal?.remedy.description == row.remedy)
    #expect(!report.isAcceptedByFovea && report.isAcceptedByGoogle == row.isAcceptedByGoogle)
    let rule = try #require(report.rules.first { $0.number == "16" })
    #expect(rule.verdict == .passed)
    #expect(
      rule.finding == "a classifier by its outputs, which is all that ML Kit reads; Fovea refuses it for"
        + " another reason")
    #expect(try ModelInspection(of: model).family == nil)
  }

  @Test(arguments: [
    "edge_tpu", "embedding", "landmarks", "sound", "table", "arithmetic", "one_pixel", "grey_logit",
    "colors_open_size", "feature_maps", "mask", "picture", "described_depth", "ssd_logits",
  ]) func `check names no family for what inspection rejects, and has reason and remedy`(_ name: String)
    async throws
  {
    let model = FixtureModel.source(name)
    let report = try CompatibilityReport(of: model)
    #expect(try ModelInspection(of: model).family == nil && report.family == nil)
    #expect(report.json(\.description).contains(#""family": null"#))
    let refusal = try #require(report.refusal)
    let detection = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: model) }
    #expect(detection?.message == refusal.message)
    let text = report.text(\.description)
    #expect(text.contains("  not recognised: ") && !text.contains("accepts it anyway"))
    let words = text.filter { !$0.isWhitespace }
    for part in [refusal.message, refusal.remedy.description] {
      #expect(words.contains(part.filter { !$0.isWhitespace }), "\(text)")
    }
    #expect(!report.isAcceptedByFovea && !report.rules.contains { $0.verdict == .differs })
  }

  @Test func `check names the command for a segmentation model, which Google's classes do not run`() throws {
    let source = FixtureModel.source("segmentation")
    let report = try CompatibilityReport(of: source)
    #expect(try report.family != nil && report.family == ModelInspection(of: source).family)
    #expect(!report.isDetector && !report.isAcceptedByFovea)
    let refusal = try #require(report.refusal)
    #expect(refusal.message.contains("it is a segmentation model"))
    #expect(refusal.remedy.description == "Use ImageSegmenter")
  }

  @Test(arguments: ["classifier_uint8", "colors_unit", "grey_flat", "yolov8", "colors_calibrated"])
  func `a usable model has no rejection`(_ name: String) throws {
    #expect(try CompatibilityReport(of: FixtureModel.source(name)).refusal == nil)
  }

  struct Description: Sendable, CustomTestStringConvertible {
    var model: String
    var activation: ScoreActivation?
    var hasBackground: Bool?
    var family: DetectorFamily?
    /// The kind of model; nil for one that Fovea cannot use.
    var kind: String?
    var testDescription: String { "\(model) as \(kind ?? "none")" }
  }

  @Test(arguments: [
    Description(model: "grey_logit", kind: nil),
    Description(model: "grey_logit", activation: .sigmoid, kind: "classifier"),
    Description(model: "logits", kind: nil),
    Description(model: "logits", activation: .softmax, kind: "classifier"),
    Description(model: "embedding", kind: nil),
    Description(model: "embedding", activation: ScoreActivation.none, kind: "classifier"),
    Description(model: "ssd_logits", activation: .sigmoid, kind: nil),
    Description(model: "ssd_logits", activation: .sigmoid, hasBackground: true, kind: "ssd-anchors"),
    Description(model: "classifier_uint8", family: .yolov5, kind: nil),
    Description(model: "yolov8", family: .yolov8, kind: "yolov8"),
  ])
  func `the caller's facts about a model count for check as for inspection`(_ row: Description) throws {
    var options = ObjectDetector.Options()
    options.scoreActivation = row.activation
    options.hasBackgroundClass = row.hasBackground
    options.family = row.family
    let model = FixtureModel.source(row.model)
    let report = try CompatibilityReport(of: model, options: options)
    #expect(try ModelInspection(of: model, options: options).family == row.kind)
    #expect(report.family == row.kind && (report.refusal == nil) == (row.kind != nil), "\(report)")
  }

  @Test func `two labels make one logit a classifier`() throws {
    let folder = try TemporaryFolder()
    let two = try folder.write("two.txt", "no\nyes\n")
    let report = try CompatibilityReport(of: FixtureModel.source("grey_logit"), labelFile: two)
    #expect(report.refusal == nil)
    #expect(report.rules.contains { $0.finding == "a classifier by its outputs" })
  }

  struct Need: Sendable, CustomTestStringConvertible {
    var model: String
    var lines: Int
    var need: String
    var testDescription: String { "\(model), \(lines) lines" }
  }

  @Test(arguments: [
    Need(
      model: "classifier_uint8", lines: 2,
      need: "labels that fit: there are 2, but the output has 3 classes; the last is line 2 'thing 1'"),
    Need(
      model: "classifier_uint8", lines: 1,
      need: "labels that fit: there is 1, but the output has 3 classes; the last is line 1 'thing 0'"),
    Need(
      model: "grey_flat", lines: 3,
      need: "labels that fit: there are 3, but one score has 1, or 2 if it is the second of two classes"),
    Need(
      model: "mediapipe_face", lines: 3,
      need:
        "labels that fit: there are 3, but the outputs have 1 class; the extra ones are line 2 'thing 1', line 3 'thing 2'"
    ),
    Need(
      model: "fomo", lines: 5,
      need:
        "labels that fit: there are 5, but the outputs have 3 classes; the extra ones are line 4 'thing 3', line 5 'thing 4'"
    ),
    Need(model: "classifier_uint8", lines: 3, need: ""), Need(model: "grey_flat", lines: 2, need: ""),
    Need(
      model: "fomo", lines: 0,
      need: "a label file with 3 lines (Options.labelFile) to show class names instead of numbers"),
  ]) func `inspection reports the number of labels that fit`(_ row: Need) throws {
    let folder = try TemporaryFolder()
    let lines = (0..<row.lines).map { "thing \($0)\n" }.joined()
    let file = row.lines == 0 ? nil : try folder.write("labels.txt", lines)
    let needs = try ModelInspection(of: FixtureModel.source(row.model), labelFile: file).needs.map(
      \.description)
    #expect(needs.filter { $0.contains("label") } == (row.need.isEmpty ? [] : [row.need]))
  }

  @Test func `a line for the background is one more than the classes`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("labels.txt", "background\nred\ngreen\nblue\n")
    #expect(
      try ModelInspection(of: FixtureModel.source("fomo"), labelFile: file).needs.map(\.description)
        .allSatisfy {
          !$0.contains("label")
        })
  }

  @Test func `inputs that are not images are named, and nothing else is requested`() throws {
    let inspection = try ModelInspection(of: FixtureModel.source("arithmetic"))
    #expect(
      inspection.reason
        == "there are 2 inputs and no image: 'left' float32 [1, 2], 'right' float32 [1, 2]")
    #expect(
      inspection.needs.map(\.description) == [
        "one image input: float32, uint8, int8 or int32 [1, height, width, 3] or [1, 3, height, width], or 1 for grey in place of 3"
      ])
  }

  @Test func `a detector as a classifier is named by its family`() async throws {
    let model = FixtureModel.source("yolov8")
    let error = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    #expect(error?.code.rawValue == "not-a-classifier")
    #expect(
      error?.message.hasSuffix(
        "yolov8.tflite' is not an image classifier: it is a detector of the family 'yolov8'")
        == true)
    #expect(error?.remedy.description == "Use ObjectDetector")
  }

  @Test func `three labels for one score are rejected with one or two`() async throws {
    let folder = try TemporaryFolder()
    var options = ImageLabeler.Options()
    options.labelFile = try folder.write("labels.txt", "a\nb\nc\n")
    let error = await #expect(throws: FoveaError.self) {
      try await ImageLabeler(model: FixtureModel.source("grey_flat"), options: options)
    }
    #expect(error?.code.rawValue == "metadata-count-mismatch")
    #expect(
      error?.remedy.description
        == "Give a label file with 1 line, or with 2 if the score is the second of two classes")
  }
}
