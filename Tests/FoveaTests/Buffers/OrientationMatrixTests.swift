// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// A model that must give the same boxes for any stored rotation of its image.
struct MatrixModel: Sendable, CustomTestStringConvertible {
  /// The images for the model.
  enum Image: Sendable {
    /// The bundled photo of a cat, 451 × 300: one object that each model is confident of, so that overlapping
    /// boxes with similar scores do not swap places with it.
    case cat
    /// A red, a green and a blue block on dark grey, for the generated models.
    case blocks
  }
  let testDescription: String
  let source: ModelSource
  var image = Image.cat
  /// The allowed movement of an edge, as a fraction of the image's side.
  ///
  /// Twice as far with the embedded detector: its edges are averages over eight distances, and the colours
  /// that 4:2:0 drops move the cat's right edge by 2.6 %.
  var slack = 0.02
  /// Facts that the model does not declare.
  var change: @Sendable (inout ObjectDetector.Options) -> Void = { _ in }

  /// A model of `Tests/Fixtures/models`, by its name without the extension.
  static func generated(
    _ name: String, _ change: @escaping @Sendable (inout ObjectDetector.Options) -> Void = { _ in }
  ) -> MatrixModel {
    MatrixModel(
      testDescription: name, source: .file(PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"),
      image: .blocks, change: change)
  }

  static let embedded = [
    MatrixModel(testDescription: "embedded detector", source: .embedded(.detector), slack: 0.04),
    MatrixModel(testDescription: "embedded localizer", source: .embedded(.localizer)),
  ]

  /// One of each generated family: a new family adds its own here.
  static let all: [MatrixModel] = [
    generated("ssd") { $0.normalization = Normalization(mean: [0], standardDeviation: [255]) },
    generated("ssd_logits") {
      $0.scoreActivation = .sigmoid
      $0.hasBackgroundClass = false
    },
    generated("ssd_sigmoid") { $0.hasBackgroundClass = false },
    generated("efficientdet"), generated("lstm_ssd"),
    generated("yolox") { $0.family = .yolox }, generated("yolox_raw") { $0.family = .yolox },
    generated("yolov5"), generated("yolov5_uint8"), generated("yolov8"), generated("yolov8_int8"),
    generated("yolov8_pixels"), generated("yolov8_planar"),
    generated("yolov8_transposed") { $0.family = .yolov8 },
    generated("mediapipe_face"), generated("mediapipe_palm"), generated("mediapipe_pose"),
    generated("fomo") { $0.threshold = 0.5 },
    generated("yolov2"), generated("nanodet_plus") { $0.family = .nanodet }, generated("picodet"),
    generated("ssd_priors"), generated("ssd_joined"), generated("yolox_nms"),
    generated("yolov6") { $0.family = .yolov6 }, generated("damo_yolo") { $0.family = .damoYOLO },
    generated("yolov5_face") { $0.family = .yolov5Face },
    generated("yolo_pair"), generated("yolo_split"), generated("detr") { $0.family = .detr },
    generated("rt_detr") { $0.family = .rtDETR },
    generated("yolov10"), generated("yolov10_pixels") { $0.family = .yolov10 },
    generated("centernet"), generated("movenet"), generated("movenet_multi"),
  ]

  /// Real models; `models/detect` of the shared data.
  static let shared: [MatrixModel] = [
    "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29",
    "lite-model_object_detection_mobile_object_localizer_v1_1_metadata_2", "yolox_nano",
  ].map { MatrixModel(testDescription: $0, source: .file(SharedData.path("models/detect/\($0).tflite"))) }
}

/// Eight orientations × every model × every pixel format: the same boxes within 2 % of the image's size, mapped back.
@Suite struct OrientationMatrixTests {
  static let blocks = TestFrame(size: PixelSize(width: 241, height: 160)) { x, y in
    switch (x, y) {
    case (20..<80, 30..<90): (255, 0, 0)
    case (120..<220, 16..<60): (0, 255, 0)
    case (110..<150, 90..<150): (0, 0, 255)
    default: (40, 40, 40)
    }
  }

  @Test(arguments: MatrixModel.embedded)
  func `each orientation in each format gives the same boxes with an embedded model`(
    _ model: MatrixModel
  ) async throws {
    try await Self.check(model)
  }

  @Test(arguments: MatrixModel.all)
  func `each orientation in each format gives the same boxes`(_ model: MatrixModel) async throws {
    try await Self.check(model)
  }

  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"),
    arguments: MatrixModel.shared)
  func `each orientation in each format gives the same boxes with a real model`(
    _ model: MatrixModel
  ) async throws {
    try await Self.check(model)
  }

  static let cat = Result {
    TestFrame(try EncodedImage(path: PackageRoot.path + "/Examples/photos/cat.jpg").canvas())
  }

  /// A frame as returned by one camera.
  struct Shot: Sendable {
    let format: FrameFormat
    let orientation: Orientation
    let buffer: PixelBuffer
  }

  /// The images in each format and orientation, generated once for all models.
  static let catShots = Result { try shots(of: cat.get()) }
  static let blockShots = Result { try shots(of: blocks) }

  private static func shots(of frame: TestFrame) throws -> [Shot] {
    try Orientation.allCases.flatMap { orientation in
      let stored = frame.stored(as: orientation)
      return try FrameFormat.all.map { format in
        Shot(
          format: format, orientation: orientation,
          buffer: try stored.buffer(format, padding: 5, orientation: orientation))
      }
    }
  }

  private struct Answer {
    var objects: [DetectedObject]
    /// In the upright image.
    var boxes: [BoundingBox]
  }

  private static func check(_ model: MatrixModel) async throws {
    var options = ObjectDetector.Options()
    options.threshold = 0.15
    options.classifier = .none
    model.change(&options)
    let detector = try await ObjectDetector(model: model.source, options: options)
    let frame = model.image == .blocks ? blocks : try cat.get()

    func answer(_ buffer: PixelBuffer) async throws -> Answer {
      let result = try await detector.analyze(.pixels(buffer))
      #expect(result.orientation == buffer.orientation)
      #expect(result.size == buffer.size)
      let boxes = result.objects.map {
        buffer.orientation.uprightBox(fromStored: $0.box, stored: buffer.size)
      }
      return Answer(objects: result.objects, boxes: boxes)
    }

    let reference = try await answer(frame.buffer(FrameFormat.all[0]))
    let grey = try await answer(frame.grey.buffer(FrameFormat.all[0]))
    // A doubtful result depends on the last bit of a pixel; only confident ones, or the best one, are
    // compared.
    let best = try #require(reference.objects.first?.score)
    for shot in try (model.image == .blocks ? blockShots : catShots).get() {
      let found = try await answer(shot.buffer)
      let expected = shot.format.isGrey ? grey : reference
      let sure = min(expected.objects.first?.score ?? best, 0.5)
      for (object, box) in zip(expected.objects, expected.boxes) where object.score >= sure {
        #expect(
          zip(found.objects, found.boxes).contains { other, otherBox in
            other.labels.first?.index == object.labels.first?.index
              && isSame(otherBox, box, in: frame.size, slack: model.slack)
          }, "\(shot.format), \(shot.orientation): \(box) among \(found.boxes)")
      }
    }
  }

  private static func isSame(
    _ one: BoundingBox, _ other: BoundingBox, in size: PixelSize, slack: Double
  ) -> Bool {
    let (slackX, slackY) = (Double(size.width) * slack, Double(size.height) * slack)
    return abs(one.minX - other.minX) <= slackX && abs(one.maxX - other.maxX) <= slackX
      && abs(one.minY - other.minY) <= slackY && abs(one.maxY - other.maxY) <= slackY
  }
}
