// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaRuntime
import FoveaTesting
import Testing

/// Models as the usual exporters write them: with an open number of images, without a declaration of their
/// pixels, or with a description outside the TFLite metadata.
@Suite struct ExporterTests {
  /// An image of one colour: a fifth, two fifths and four fifths of 255.
  static func plain(_ size: PixelSize = PixelSize(width: 48, height: 32)) throws -> ImageInput {
    let canvas = PixelCanvas(size: size)
    // SAFETY: rows and columns are those of the canvas, four bytes per pixel, blue first.
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let offset = y * canvas.bytesPerRow + x * 4
          unsafe bytes[offset] = 51
          unsafe bytes[offset + 1] = 102
          unsafe bytes[offset + 2] = 204
        }
      }
    }
    return .data(try canvas.encoded(as: .png), name: "plain.png")
  }

  struct Colors: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var source: NormalizationSource
    var normalization = Normalization(mean: [0], standardDeviation: [1])
    var shares: [Float] = [0.8, 0.4, 0.2]
  }

  static let colors = [
    Colors(testDescription: "colors_folded", source: .graph),
    Colors(testDescription: "colors_rescaled", source: .graph),
    Colors(
      testDescription: "colors_calibrated", source: .graph,
      normalization: Normalization(mean: [0], standardDeviation: [255])),
    // Nothing decides: the assumption is wrong here, and the last two are negative.
    Colors(
      testDescription: "colors_unit", source: .assumed,
      normalization: Normalization(mean: [127.5], standardDeviation: [127.5]), shares: [0.6, 0, 0]),
  ]

  @Test(arguments: colors)
  func `a float model gets the pixel range of its graph`(_ row: Colors) async throws {
    let model = KnownAnswerTests.model(row.testDescription)
    let inspection = try ModelInspection(of: model)
    #expect(inspection.family == "classifier")
    #expect(inspection.normalizationSource == row.source)
    #expect(inspection.normalization == row.normalization)
    let labeler = try await ImageLabeler(model: model)
    let labels = try await labeler.labels(in: Self.plain())
    for (index, share) in row.shares.enumerated() {
      let confidence = labels.first { $0.index == index }?.confidence
      #expect(abs((confidence ?? -1) - share) < 0.004, "\(labels)")
    }
    let isAssumed = labeler.assumptions.map(\.description).contains {
      $0.contains("does not declare its input normalisation")
    }
    #expect(isAssumed == (row.source == .assumed))
  }

  @Test func `an assumption is reported, and an option replaces it`() async throws {
    let model = KnownAnswerTests.model("colors_unit")
    var options = ImageLabeler.Options()
    options.scoreActivation = ScoreActivation.none
    let labeler = try await ImageLabeler(model: model, options: options)
    let sentence = try #require(labeler.assumptions.map(\.description).first)
    #expect(sentence.contains("colors_unit.tflite' does not declare its input normalisation"))
    #expect(sentence.hasSuffix("(Options.normalization)"))
    options.normalization = Normalization(mean: [0], standardDeviation: [255])
    let told = try await ImageLabeler(model: model, options: options)
    #expect(told.assumptions == [])
    let labels = try await told.labels(in: Self.plain())
    #expect(abs((labels.first?.confidence ?? 0) - 0.8) < 0.004)
    // Used as detector it labels crops, and prints the same.
    var detection = ObjectDetector.Options()
    detection.scoreActivation = ScoreActivation.none
    let detector = try await ObjectDetector(model: model, options: detection)
    #expect(try await detector.assumptions().map(\.description) == [sentence])
    #expect(try await ObjectDetector().assumptions() == [])
  }

  @Test(arguments: [[1, 0, 8, 3], [1, 8, 0, 3], [1, 0, 0, 3]] as [[Int32]])
  func `an input with a side of 0 is rejected`(_ shape: [Int32]) async throws {
    var model = TestModel(tensors: [.init(shape: shape, name: "image")], inputs: [0])
    model.graphs[0].outputs = [
      model.append(
        40, [0, model.constant([1, 2])], makes: .init(shape: [1, 3], name: "mean"), options: [0: 0])
    ]
    let source = ModelSource.memory(ModelBytes(model.bytes(), name: "m"))
    let error = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: source) }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(error?.message.hasSuffix("a side of 0 has no pixels") == true, "\(error?.message ?? "")")
    // Other callers, such as a test run, meet the reason when LiteRT prepares the graph.
    let inspection = try ModelInspection(of: source)
    let refusal = #expect(throws: FoveaError.self) { _ = try inspection.session() }
    #expect(refusal?.message.contains("and a side of 0 has no values") == true, "\(refusal?.message ?? "")")
    #expect(refusal?.remedy.description.hasPrefix("Export the model with a fixed size") == true)
  }

  @Test func `an input without a size is rejected`() async throws {
    let model = KnownAnswerTests.model("colors_open_size")
    let error = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(error?.message.hasSuffix("its height and width are open, and Fovea needs a fixed size") == true)
    let inspection = try ModelInspection(of: model)
    #expect(inspection.family == nil)
    #expect(
      inspection.needs.map(\.description) == [
        "Export the model with a fixed size, in Keras: keras.Input((224, 224, 3))"
      ])
  }

  @Test func `a description in a compressed archive names the classes`() async throws {
    let model = KnownAnswerTests.model("described_detect")
    let inspection = try ModelInspection(of: model)
    #expect(inspection.family == "yolov8")
    #expect(inspection.labels?.names == ["red", "green", "blü"])
    #expect(inspection.needs == [])
    #expect(inspection.metadata?.license == "Apache-2.0")
    #expect(inspection.metadata?.version == "1.2.3")
    let objects = try await ObjectDetector(model: model).detect(in: BlockImage.png())
    KnownAnswerTests.expectBlocks(objects)
    #expect(Set(objects.compactMap { $0.labels.first?.text }) == ["red", "blü"])
  }

  @Test(
    arguments: [
      ("described_detect", ""), ("described_obb", "; the last number of each row is read as an angle"),
      ("described_segment", "; the last 4 numbers of each row are read as coefficients of a mask"),
      ("described_pose", "; the last 6 numbers of each row are read as points"),
    ])
  func `an error about the number of labels has the numbers behind the classes`(
    _ name: String, _ clause: String
  ) async throws {
    let folder = try TemporaryFolder()
    var options = ObjectDetector.Options()
    options.labelFile = try folder.write("labels.txt", "red\ngreen\n")
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: KnownAnswerTests.model(name), options: options)
    }
    #expect(error?.code.rawValue == "metadata-count-mismatch")
    let end = "has 3 classes; the last is line 2 'green'\(clause)"
    #expect(error?.message.hasSuffix(end) == true, "\(error?.message ?? "")")
  }

  @Test func `a model for another task is rejected, unless the family is named`() async throws {
    let model = KnownAnswerTests.model("described_depth")
    let error = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: model) }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(
      error?.message.hasSuffix(
        "was exported for the task 'depth'; Fovea reads models for 'detect', 'segment', 'pose', 'obb', 'classify', 'semantic'"
      )
        == true)
    var options = ObjectDetector.Options()
    options.family = .yolov8
    KnownAnswerTests.expectBlocks(
      try await ObjectDetector(model: model, options: options).detect(in: BlockImage.png()))
    let inspection = try ModelInspection(of: model, options: options)
    #expect(inspection.family == "yolov8")
    #expect(inspection.reason == "as requested")
  }

  struct Task: Sendable, CustomTestStringConvertible {
    var model: String
    var family: String
    var finds: [String]
    var testDescription: String { model }
  }

  @Test(arguments: [
    Task(model: "described_segment", family: "yolov8", finds: ["boxes", "masks"]),
    Task(model: "described_pose", family: "yolov8-pose", finds: ["boxes", "keypoints"]),
    Task(model: "described_obb", family: "yolov8-obb", finds: ["boxes", "rotated boxes"]),
  ])
  func `masks, keypoints and angles are read`(_ test: Task) async throws {
    let model = KnownAnswerTests.model(test.model)
    let inspection = try ModelInspection(of: model)
    #expect(inspection.family == test.family)
    #expect(inspection.reason == "a detector by its outputs")
    #expect(inspection.labels?.names == ["red", "green", "blü"])
    #expect(inspection.finds == test.finds)
    #expect(inspection.needs.isEmpty)
    let detector = try await ObjectDetector(model: model)
    #expect(try await detector.assumptions().map(\.description) == inspection.needs.map(\.description))
    let objects = try await detector.detect(in: BlockImage.png())
    KnownAnswerTests.expectBlocks(objects)
    #expect(Set(objects.compactMap { $0.labels.first?.text }) == ["red", "blü"])
    #expect(objects.allSatisfy { ($0.mask != nil) == test.finds.contains("masks") })
    #expect(objects.allSatisfy { ($0.orientedBox != nil) == test.finds.contains("rotated boxes") })
    #expect(objects.allSatisfy { !$0.keypoints.isEmpty == test.finds.contains("keypoints") })
    // The usual name of such models is not a dead end.
    var options = ObjectDetector.Options()
    options.family = .yolov8
    KnownAnswerTests.expectBlocks(
      try await ObjectDetector(model: model, options: options).detect(in: BlockImage.png()))
  }

  @Test(arguments: ["pose", "obb", "segment", "detect"], [1, 2, 4, 5])
  func `another model's label file does not change what a described one is`(
    _ task: String, _ count: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let model = KnownAnswerTests.model("described_\(task)")
    let lines = ["a", "b", "c", "d", "e"].prefix(count)
    var options = ObjectDetector.Options()
    options.labelFile = try folder.write("labels.txt", lines.joined(separator: "\n") + "\n")
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: model, options: options)
    }
    #expect(error?.code.rawValue == "metadata-count-mismatch")
    let labels = count == 1 ? "1 label" : "\(count) labels"
    #expect(error?.message.contains("has \(labels), but ") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("has 3 classes") == true, "\(error?.message ?? "")")
    let undisturbed = try ModelInspection(of: model)
    let inspection = try ModelInspection(of: model, options: options)
    #expect(inspection.family == undisturbed.family)
    // As many as it has classes are accepted.
    options.labelFile = try folder.write("three.txt", "a\nb\nc\n")
    let objects = try await ObjectDetector(model: model, options: options).detect(in: BlockImage.png())
    KnownAnswerTests.expectBlocks(objects)
    #expect(Set(objects.compactMap { $0.labels.first?.text }) == ["a", "c"])
  }

  @Test func `an Ultralytics classifier is given the centre, in pixels 0 to 1`() async throws {
    let model = KnownAnswerTests.model("described_classify")
    let inspection = try ModelInspection(of: model)
    #expect(inspection.isCropped)
    #expect(inspection.normalization == Normalization(mean: [0], standardDeviation: [255]))
    #expect(inspection.normalizationSource == .family)
    let labeler = try await ImageLabeler(model: model)
    #expect(try await labeler.labels(in: Self.plain()).map(\.text) == ["red", "green", "blü"])
    // The centre of the blocks' image, 160 × 160 from column 80, has half of the red block and a third of the
    // blue.
    let grey = 90.0 / 255
    let red = 40.0 * 64 / 25_600
    let blue = 32.0 * 96 / 25_600
    let labels = try await labeler.labels(in: BlockImage.png())
    let share = labels.first { $0.index == 0 }.map { Double($0.confidence) } ?? -1
    #expect(abs(share - (red + grey * (1 - red - blue))) < 0.01, "\(labels)")
  }

  @Test func `a model is inspected as the options have it`() throws {
    var options = ObjectDetector.Options()
    options.family = .yolox
    let inspection = try ModelInspection(of: KnownAnswerTests.model("yolox"), options: options)
    #expect(inspection.family == "yolox")
    #expect(inspection.isBGR)
    options.family = .yolov10
    let other = try ModelInspection(of: KnownAnswerTests.model("yolox"), options: options)
    #expect(other.family == nil)
    #expect(other.reason.contains("is not of the family 'yolov10'"))
    options.threshold = 2
    #expect(throws: FoveaError.self) {
      try ModelInspection(of: KnownAnswerTests.model("yolox"), options: options)
    }
  }
}
