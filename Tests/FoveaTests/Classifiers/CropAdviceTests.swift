// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

/// Advice about a classifier of crops does not name options that the detector takes.
@Suite struct CropAdviceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// The detector; nil for the embedded localizer, which leaves the options to the classifier.
    var detector: String?
    var classifier: String
    var remedy: String
    var testDescription: String { "\(classifier) after \(detector ?? "the localizer")" }
  }

  private static let features =
    "Use ImageEmbedder for features, or a classifier; if these are classes, supply their 128 labels"

  @Test(arguments: [
    Row(detector: "yolov10", classifier: "embedding", remedy: features + " (MetadataAddition)"),
    Row(classifier: "embedding", remedy: features + " (Options.labelFile)"),
    Row(
      detector: "yolov10", classifier: "grey_logit",
      remedy: "If the number is a logit, give Options.scoreActivation = .sigmoid, or the labels of its two"
        + " classes (MetadataAddition)"),
    Row(
      classifier: "grey_logit",
      remedy: "If the number is a logit, give Options.scoreActivation = .sigmoid, or the labels of its two"
        + " classes (Options.labelFile)"),
    // A detector with raw scores takes the activation, too.
    Row(
      detector: "ssd", classifier: "grey_logit",
      remedy: "If the number is a logit, give a sigmoid at the end of its graph, or the labels of its two"
        + " classes (MetadataAddition)"),
  ])
  func `a refused classifier's remedy can be followed`(_ row: Row) async {
    var options = ObjectDetector.Options()
    options.classifier = .model(KnownAnswerTests.model(row.classifier))
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: row.detector.map(KnownAnswerTests.model), options: options)
    }
    #expect(error?.remedy.description == row.remedy)
  }

  @Test func `the remedy of an image and the notes can be followed`() async throws {
    var options = ObjectDetector.Options()
    options.classifier = .model(KnownAnswerTests.model("logits_unknown"))
    let unknown = try await ObjectDetector(model: KnownAnswerTests.model("yolov10"), options: options)
    let error = await #expect(throws: FoveaError.self) { try await unknown.detect(in: BlockImage.png()) }
    #expect(error?.code.rawValue == "invalid-output")
    #expect(
      error?.remedy.description.hasPrefix("If these are classes, give their 3 labels (MetadataAddition) or")
        == true)
    options.classifier = .model(KnownAnswerTests.model("colors_unit"))
    let assuming = try await ObjectDetector(model: KnownAnswerTests.model("yolov10"), options: options)
    #expect(
      try await assuming.assumptions().first?.description.hasSuffix(
        "Give the normalisation it was trained with (MetadataAddition)") == true)
  }

  @Test(arguments: [("embedding", ScoreActivation.softmax), ("grey_logit", .sigmoid)])
  func `an activation shows that the classifier of a detector without raw scores is one`(
    _ classifier: String, _ activation: ScoreActivation
  ) async throws {
    var options = ObjectDetector.Options()
    options.classifier = .model(KnownAnswerTests.model(classifier))
    options.scoreActivation = activation
    _ = try await ObjectDetector(model: KnownAnswerTests.model("yolov10"), options: options)
  }

  @Test func `the command that changes the file is named on the command line`() {
    let advice = CropAdvice(withheld: ["labels", "normalize", "activation"])
    let text: Advice =
      "\(option: "labels"), \(option: "normalize", "MEAN,STD"), \(option: "activation"),"
      + " \(option: "max-pixels")"
    #expect(
      advice(text).text(\.program)
        == "fovea model add-metadata FILE --labels LABELS --output NEW,"
        + " fovea model add-metadata FILE --normalize MEAN,STD --output NEW,"
        + " a sigmoid or softmax at the end of its graph, --max-pixels")
    #expect(
      advice.withLabels("Give 2").text(\.program)
        == "Give 2: fovea model add-metadata FILE --labels LABELS --output NEW")
    let family: Advice = "\(option: "background", "none") or \(option: "family", "yolov8")"
    #expect(
      CropAdvice.published(family).text(\.program)
        == "fovea model inspect FILE --background none or fovea model inspect FILE --family yolov8. A host has"
        + " no such option: publish a file that is read without it")
    #expect(CropAdvice()(text) == text && CropAdvice().withLabels("Give 2") == "Give 2")
  }
}
