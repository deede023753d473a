// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// Models with one channel.
@Suite struct GreyImageTests {
  /// The left half as bright as `level`, the right half black.
  static func halves(_ level: UInt8) throws -> ImageInput {
    let left = BlockScene.Block(
      label: "left", box: BoundingBox(x: 0, y: 0, width: 32, height: 64), color: (level, level, level))
    return .data(
      try BlockScene(size: PixelSize(width: 64, height: 64), blocks: [left]).png(), name: "halves.png")
  }

  @Test(arguments: ["grey_last", "grey_first", "grey_flat", "grey_uint8", "grey_int8"])
  func `a classifier of grey images reports their brightness`(_ name: String) async throws {
    let labeler = try await ImageLabeler(model: KnownAnswerTests.model(name))
    // 1 ÷ (1 + e^(4 − 8 × mean)); the mean of the left half, blurred over at most one of its 16 columns.
    for (level, expected) in [(0, 0.01799), (128, 0.504), (255, 0.98201)] as [(UInt8, Float)] {
      let label = try #require(try await labeler.labels(in: Self.halves(level)).first)
      #expect(abs(label.confidence - expected) < 0.03, "\(level) \(label)")
    }
    let color = try #require(try await labeler.labels(in: ExporterTests.plain()).first)
    #expect(abs(color.confidence - 0.4961) < 0.005, "\(color)")
    let inspection = try ModelInspection(of: KnownAnswerTests.model(name))
    #expect(inspection.isGrey)
    #expect(!inspection.isBGR)
  }

  @Test func `a detector of grey images finds bright areas`() async throws {
    let block = BlockScene.Block(
      label: "bright", box: BoundingBox(x: 40, y: 16, width: 48, height: 32), color: (255, 255, 255))
    let scene = BlockScene(size: PixelSize(width: 128, height: 128), blocks: [block])
    var options = ObjectDetector.Options()
    options.family = .yolov8
    let detector = try await ObjectDetector(model: KnownAnswerTests.model("grey_yolov8"), options: options)
    let objects = try await detector.detect(in: .data(try scene.png(), name: "scene.png"))
    let found = try #require(objects.first)
    #expect(found.box.iou(with: block.box) > 0.9, "\(found)")
    #expect(found.score > 0.88)
  }

  @Test func `three means for a grey image are rejected`() async throws {
    var options = ImageLabeler.Options()
    options.normalization = Normalization(mean: [1, 2, 3], standardDeviation: [1, 1, 1])
    let error = await #expect(throws: FoveaError.self) {
      try await ImageLabeler(model: KnownAnswerTests.model("grey_last"), options: options)
    }
    #expect(error?.code == .optionInvalid)
    #expect(
      error?.message.hasSuffix("has 3 means and 3 deviations; grey pixels need one of each")
        == true)
    #expect(error?.remedy.description == "Give one mean and one deviation, for instance 127.5,127.5")
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `a classifier of Edge Impulse accepts grey images`() async throws {
    let model = ModelSource.file(SharedData.path("wild-models/edge_impulse_grey_160.tflite"))
    let labeler = try await ImageLabeler(model: model)
    let labels = try await labeler.labels(in: .file(SharedData.path("photos/coral_cat_720p.jpg")))
    #expect(labels.count == 5)
    #expect(abs(labels.reduce(0) { $0 + $1.confidence } - 1) < 0.03, "\(labels)")
    #expect(labeler.assumptions == [])
  }
}
