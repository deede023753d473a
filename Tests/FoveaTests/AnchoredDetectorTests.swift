// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// Detectors without post-processing, from images to boxes: each of the models finds a red, a green and a
/// blue block and reports each block three times in its own class and once, weakly, in the next.
@Suite struct AnchoredDetectorTests {
  static let blocks = BlockScene(
    size: PixelSize(width: 320, height: 256),
    blocks: [
      .init(label: "red", box: BoundingBox(x: 20, y: 30, width: 60, height: 40), color: (255, 0, 0)),
      .init(label: "green", box: BoundingBox(x: 160, y: 40, width: 80, height: 120), color: (0, 255, 0)),
      .init(label: "blue", box: BoundingBox(x: 60, y: 180, width: 100, height: 50), color: (0, 0, 255)),
    ])

  static func image() throws -> ImageInput { .data(try blocks.png(), name: "blocks.png") }

  struct Case: Sendable, CustomTestStringConvertible {
    var model: String
    var family: String
    var labels: [String]? = ["red", "green", "blue"]
    var change: @Sendable (inout ObjectDetector.Options) -> Void = { _ in }
    var testDescription: String { "\(model), labels \(labels?.description ?? "none")" }
  }

  static let cases = [
    Case(model: "ssd", family: "ssd-anchors", change: { $0.normalization = Self.unit }),
    Case(
      model: "ssd", family: "ssd-anchors", labels: ["background", "red", "green", "blue"],
      change: { $0.normalization = Self.unit }),
    Case(model: "ssd", family: "ssd-anchors", labels: nil, change: { $0.normalization = Self.unit }),
    Case(model: "ssd_logits", family: "ssd-anchors", change: { $0.scoreActivation = .sigmoid }),
    Case(
      model: "ssd_logits", family: "ssd-anchors", labels: nil,
      change: {
        $0.scoreActivation = .sigmoid
        $0.hasBackgroundClass = false
      }),
    Case(model: "ssd_sigmoid", family: "ssd-anchors"),
    Case(model: "efficientdet", family: "efficientdet"),
    Case(model: "efficientdet", family: "efficientdet", labels: nil),
  ]

  static let unit = Normalization(mean: [0], standardDeviation: [255])

  static func options(_ row: Case, _ folder: TemporaryFolder) throws -> ObjectDetector.Options {
    var options = ObjectDetector.Options()
    if let labels = row.labels {
      options.labelFile = try folder.write("labels.txt", labels.joined(separator: "\n"))
    }
    row.change(&options)
    return options
  }

  @Test(arguments: cases) func `the three blocks are found, once each, with their names`(_ row: Case)
    async throws
  {
    let folder = try TemporaryFolder()
    let options = try Self.options(row, folder)
    let detector = try await ObjectDetector(model: .file(Self.model(row.model)), options: options)
    let objects = try await detector.detect(in: Self.image())
    #expect(objects.count == 3, "\(objects)")
    for (index, block) in Self.blocks.blocks.enumerated() {
      let expected = row.labels == nil ? nil : block.label
      let offset = row.labels?.first == "background" ? 1 : 0
      let found = try #require(
        objects.first { $0.box.iou(with: block.box) > 0.9 }, "\(block.label): \(objects)")
      #expect(found.labels == [Label(text: expected, index: index + offset, confidence: found.score)])
      #expect(abs(found.score - 0.95) < 0.01)
    }
    if row.labels != nil {
      let inspection = try ModelInspection(of: .file(Self.model(row.model)), labelFile: options.labelFile)
      if row.model != "ssd_logits" { #expect(inspection.family == row.family) }
    }
  }

  static func model(_ name: String) -> String { PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite" }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var model: String
    var labels: [String]?
    var change: @Sendable (inout ObjectDetector.Options) -> Void = { _ in }
    var code: String
    var message: String
    var remedy: String
  }

  static let refusals = [
    Refusal(
      testDescription: "more labels than channels of a heat map", model: "fomo",
      labels: ["red", "green", "blue", "white"], code: "labels-do-not-fit",
      message: "'MODEL' has 3 classes, but LABELS has 4 labels",
      remedy: "If the first 3 labels are those of the model, remove the last one; otherwise give the label"
        + " file that belongs to the model, one line for each class"),
    Refusal(
      testDescription: "80 labels for a face", model: "mediapipe_face",
      labels: (0..<80).map { "thing \($0)" }, code: "labels-do-not-fit",
      message: "'MODEL' has 1 class, but LABELS has 80 labels",
      remedy: "If the first label is that of the model, remove the others; otherwise give the label file that"
        + " belongs to the model, one line for each class"),
    Refusal(
      testDescription: "an activation for a family that fixes it", model: "mediapipe_face",
      change: { $0.scoreActivation = .sigmoid }, code: "option-invalid",
      message: "An activation has no effect on 'MODEL': its family 'mediapipe-face' fixes it",
      remedy: "Leave out Options.scoreActivation"),
    Refusal(
      testDescription: "a background for a family without", model: "yolov8",
      change: { $0.hasBackgroundClass = true }, code: "option-invalid",
      message: "A background has no effect on 'MODEL': its family 'yolov8' fixes the classes",
      remedy: "Leave out Options.hasBackgroundClass"),
    Refusal(
      testDescription: "logits without a declared activation", model: "ssd_logits",
      code: "ambiguous-model",
      message:
        "MODEL', 'scores' float32 [1, 96, 3], are not probabilities: its graph ends without sigmoid or softmax",
      remedy:
        "Set the one they need: Options.scoreActivation = .sigmoid or Options.scoreActivation = .softmax"),
    Refusal(
      testDescription: "no labels, and no declared background", model: "ssd_sigmoid",
      code: "ambiguous-model",
      message: "It is unknown whether the first of the 3 scores of 'MODEL' is the background's",
      remedy: "Set Options.hasBackgroundClass = true or Options.hasBackgroundClass = false,"
        + " or give Options.labelFile with 3 lines, or 2 without the background"),
    Refusal(
      testDescription: "too few labels", model: "efficientdet", labels: ["red", "green"],
      code: "labels-do-not-fit",
      message: "'MODEL' has 3 classes, but LABELS has 2 labels",
      remedy: "Give the label file that belongs to the model, one line for each class"),
    Refusal(
      testDescription: "another family", model: "efficientdet", change: { $0.family = .ssdPostProcess },
      code: "family-mismatch",
      message: "'MODEL' is not of the family 'ssd-postprocess', which has four float outputs",
      remedy: "Leave out the family to have it recognised, or give one of: ssd-postprocess"),
  ]

  @Test(arguments: refusals) func `a missing fact is reported, with the option that supplies it`(
    _ row: Refusal
  )
    async throws
  {
    let folder = try TemporaryFolder()
    let asCase = Case(model: row.model, family: "", labels: row.labels, change: row.change)
    let options = try Self.options(asCase, folder)
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: .file(Self.model(row.model)), options: options)
    }
    let text = row.message.replacing("MODEL", with: Self.model(row.model))
      .replacing("LABELS", with: options.labelFile ?? "")
    #expect(error?.code.rawValue == row.code)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(error?.remedy.description.hasPrefix(row.remedy) == true, "\(error?.remedy.description ?? "")")
  }

  @Test func `a wrong activation is noticed if it shows`() async throws {
    var options = ObjectDetector.Options()
    options.scoreActivation = ScoreActivation.none
    options.hasBackgroundClass = false
    let detector = try await ObjectDetector(model: .file(Self.model("ssd_logits")), options: options)
    let error = await #expect(throws: FoveaError.self) { try await detector.detect(in: Self.image()) }
    #expect(error?.code.rawValue == "invalid-output")
    #expect(error?.message.contains("which is not a probability") == true)
  }

  @Test func `a model with a memory starts each image with an empty one`() async throws {
    var options = ObjectDetector.Options()
    options.sessions = 2
    options.threshold = 0.01
    let detector = try await ObjectDetector(model: .file(Self.model("lstm_ssd")), options: options)
    let image = try Self.image()
    // The score is the share of images seen: a quarter for the first, more if a memory is kept.
    let scores = try await withThrowingTaskGroup(of: [Float].self) { group in
      for _ in 0..<8 { group.addTask { try await detector.detect(in: image).map(\.score) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(scores.count == 8)
    #expect(scores.allSatisfy { abs($0 - 0.25) < 0.005 }, "\(scores)")
    let inspection = try ModelInspection(of: .file(Self.model("lstm_ssd")))
    #expect(inspection.family == "ssd-postprocess")
    #expect(inspection.reason == "a detector by its outputs, with a memory")
  }
}
