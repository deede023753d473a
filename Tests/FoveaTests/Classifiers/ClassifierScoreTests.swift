// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaTesting
import Testing

/// Classifiers that end in logits, in a softmax that is not the last operator, in one score for two classes.
@Suite struct ClassifierScoreTests {
  /// The softmax of 10 × (0.8, 0.4, 0.2) − 5, computed with NumPy.
  static let softmax: [Float] = [0.979629, 0.017943, 0.002428]

  static func expect(
    _ labels: [Label], _ expected: [Float], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(labels.count == expected.count, sourceLocation: sourceLocation)
    for (index, confidence) in expected.enumerated() {
      let found = labels.first { $0.index == index }?.confidence ?? -1
      #expect(abs(found - confidence) < 0.002, "\(labels)", sourceLocation: sourceLocation)
    }
  }

  /// A folder with the model that ends in logits, and its labels.
  static func labelledLogits() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let path = PackageRoot.path + "/Tests/Fixtures/models/logits.tflite"
    try folder.write("model.tflite", [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
    try folder.write("labels.txt", "red\ngreen\nblue\n")
    return folder
  }

  @Test func `logits get a softmax, no class is dropped, and the note reports it`() async throws {
    let folder = try Self.labelledLogits()
    let labeler = try await ImageLabeler(model: .file(folder.path))
    Self.expect(try await labeler.labels(in: ExporterTests.plain()), Self.softmax)
    #expect(labeler.assumptions.count == 1)
    #expect(
      labeler.assumptions.map(\.description).first?.hasSuffix(
        "' ends in raw scores (logits); a softmax is assumed."
          + " Set the activation of its scores (Options.scoreActivation: none, sigmoid or softmax)") == true)
  }

  @Test(arguments: ["logits_softmax", "logits_written_out"])
  func `a softmax in the graph is not repeated`(_ name: String) async throws {
    let labeler = try await ImageLabeler(model: KnownAnswerTests.model(name))
    Self.expect(try await labeler.labels(in: ExporterTests.plain()), Self.softmax)
    #expect(labeler.assumptions == [])
  }

  @Test func `the caller can declare the score activation`() async throws {
    var options = ImageLabeler.Options()
    options.scoreActivation = .sigmoid
    let labeler = try await ImageLabeler(model: KnownAnswerTests.model("logits"), options: options)
    Self.expect(try await labeler.labels(in: ExporterTests.plain()), [0.952574, 0.268941, 0.047426])
    #expect(labeler.assumptions == [])
    options.scoreActivation = ScoreActivation.none
    let raw = try await ImageLabeler(model: KnownAnswerTests.model("logits"), options: options)
    let error = await #expect(throws: FoveaError.self) { try await raw.labels(in: ExporterTests.plain()) }
    #expect(error?.code.rawValue == "invalid-output")
    #expect(error?.message.contains("logits.tflite' returned ") == true)
    #expect(error?.message.hasSuffix("as the confidence of class 0, expected 0 to 1") == true)
    #expect(
      error?.remedy.description
        == "Give Options.scoreActivation = .softmax, or sigmoid if several classes may be true at once")
  }

  @Test func `outputs of an unknown operator that are not probabilities are not confidences`() async throws {
    let labeler = try await ImageLabeler(model: KnownAnswerTests.model("logits_unknown"))
    let error = await #expect(throws: FoveaError.self) { try await labeler.labels(in: ExporterTests.plain()) }
    #expect(error?.code.rawValue == "invalid-output")
    #expect(error?.message.hasSuffix("as the confidence of class 0, expected 0 to 1") == true)
  }

  @Test func `labelled outputs of an unknown operator that are not probabilities get a softmax`()
    async throws
  {
    let folder = try TemporaryFolder()
    var options = ImageLabeler.Options()
    options.labelFile = try folder.write("labels.txt", "red\ngreen\nblue\n")
    let labeler = try await ImageLabeler(model: KnownAnswerTests.model("logits_unknown"), options: options)
    // |3|, |−1|, |−3|.
    Self.expect(try await labeler.labels(in: ExporterTests.plain()), [0.468311, 0.063379, 0.468311])
    #expect(labeler.assumptions.count == 1)
  }

  @Test func `one score is two classes if two labels are given`() async throws {
    let folder = try TemporaryFolder()
    var options = ImageLabeler.Options()
    options.labelFile = try folder.write("labels.txt", "0 dark\n1 bright\n")
    for (name, isAssumed) in [("grey_last", false), ("grey_logit", true)] {
      let labeler = try await ImageLabeler(model: KnownAnswerTests.model(name), options: options)
      let labels = try await labeler.labels(in: ExporterTests.plain())
      #expect(labels.map(\.text) == ["dark", "bright"])
      Self.expect(labels, [0.5039, 0.4961])
      #expect(labeler.assumptions.isEmpty != isAssumed)
    }
    let inspection = try ModelInspection(
      of: KnownAnswerTests.model("grey_last"), labelFile: options.labelFile)
    #expect(inspection.reason == "one score for two classes")
    #expect(inspection.confidences?.isBinary == true)
  }

  @Test func `an activation applies to the classifier if the detector has no raw scores`() async throws {
    var options = ObjectDetector.Options()
    options.classifier = .model(KnownAnswerTests.model("logits"))
    options.scoreActivation = .sigmoid
    options.suppression.isClassAgnostic = true
    let detector = try await ObjectDetector(model: KnownAnswerTests.model("yolov10"), options: options)
    #expect(try await detector.assumptions() == [])
    let object = try #require(try await detector.detect(in: BlockImage.png()).first)
    // The first label is the detector's; those of the crop are independent of each other.
    let sum = object.labels.dropFirst().reduce(0) { $0 + $1.confidence }
    #expect(object.labels.count == 4)
    #expect(abs(sum - 1) > 0.004, "\(object.labels)")
    options.scoreActivation = nil
    let folder = try Self.labelledLogits()
    options.classifier = .model(.file(folder.path))
    let assuming = try await ObjectDetector(model: KnownAnswerTests.model("yolov10"), options: options)
    #expect(try await assuming.assumptions().count == 1)
  }

  @Test(arguments: 0...2)
  func `an object that a chosen classifier has no name for keeps its box and gets no label`(_ place: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    var names = ["red", "green", "blue"]
    try folder.write("plain.txt", names.joined(separator: "\n"))
    names[place] = "None_of_the_above"
    try folder.write("labels.txt", names.joined(separator: "\n"))
    let photo = ImageInput.file(PackageRoot.path + "/Examples/photos/dog.jpg")
    var options = ObjectDetector.Options()
    options.threshold = 0
    options.classifier = .model(KnownAnswerTests.model("logits"))
    options.labelFile = folder["plain.txt"]
    let plain = try await ObjectDetector(options: options).detect(in: photo)
    options.labelFile = folder["labels.txt"]
    let objects = try await ObjectDetector(options: options).detect(in: photo)
    // A classifier used as detector follows ML Kit, which shows each class.
    options.classifier = .automatic
    let shown = try await ObjectDetector(model: KnownAnswerTests.model("logits"), options: options)
      .detect(in: photo)
    #expect(!plain.isEmpty)
    #expect(objects.map(\.box) == plain.map(\.box) && shown.map(\.box) == plain.map(\.box))
    for (index, object) in plain.enumerated() {
      let classes = object.labels.map(\.index)
      #expect(objects[index].labels.map(\.index) == (classes.first == place ? [] : classes))
      #expect(shown[index].labels.map(\.index) == classes)
    }
  }

  @Test func `an inspection shows the activation of the scores`() throws {
    let folder = try Self.labelledLogits()
    let logits = try ModelInspection(of: .file(folder.path))
    #expect(logits.family == "classifier")
    #expect(logits.confidences?.activation == .softmax)
    #expect(logits.confidences?.source == .assumed)
    #expect(
      logits.needs.map(\.description).last
        == "the activation of the scores (Options.scoreActivation) if it is not a softmax, which is assumed: the graph ends without one"
    )
    let unknown = try ModelInspection(of: KnownAnswerTests.model("logits_unknown"))
    #expect(
      unknown.needs.map(\.description).last
        == "the activation of the scores (Options.scoreActivation): the graph does not show it, so they are used unchanged,"
        + " as long as all are 0 to 1")
    let softmax = try ModelInspection(of: KnownAnswerTests.model("logits_softmax"))
    #expect(softmax.confidences?.source == .model)
    #expect(try ModelInspection(of: KnownAnswerTests.model("yolov8")).confidences == nil)
  }
}
