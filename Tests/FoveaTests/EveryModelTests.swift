// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaTesting
import Testing

/// Each model of the shared data: a right result on a photo of known content, or an exact error.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct EveryModelTests {
  enum Expectation: Sendable {
    /// A classifier: the first label contains the text, or has the index.
    case label(String?, Int?)
    /// A detector: the best object has this class and this position.
    case object(String?, Int?, BoundingBox)
    /// Loading fails with the code; the message contains the text.
    case failure(String, String)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var model: String
    var photo = "photos/tfls_cats_and_dogs.jpg"
    var labels: String?
    var expected: Expectation
    var testDescription: String { model }
  }

  static let coco = BoundingBox(x: 608, y: 164, width: 381, height: 432)
  static let mobilenet = "models/classify/tfls_labels.txt"

  static let rows = [
    Row(
      model: "classify/coral_mobilenet_v1_0.25_128_quant.tflite", photo: "photos/coral_parrot.jpg",
      expected: .label("macaw", nil)),
    Row(
      model: "classify/coral_mobilenet_v1_0.5_160_quant.tflite", photo: "photos/coral_parrot.jpg",
      expected: .label("macaw", nil)),
    Row(
      model: "classify/coral_mobilenet_v2_1.0_224_quant.tflite", photo: "photos/coral_parrot.jpg",
      expected: .label("macaw", nil)),
    Row(
      model: "classify/coral_mobilenet_v2_1.0_224_inat_bird_quant.tflite", photo: "photos/coral_parrot.jpg",
      expected: .label("Ara macao", nil)),
    Row(
      model: "classify/coral_mobilenet_v2_1.0_224_inat_insect_quant.tflite",
      photo: "photos/coral_dragonfly.bmp", expected: .label("Micrathyria hagenii", nil)),
    Row(
      model: "classify/lite-model_aiy_vision_classifier_birds_V1_3.tflite", photo: "photos/mlkit_bird.jpg",
      expected: .label(nil, 567)),
    Row(
      model: "classify/mlkit_bird.tflite", photo: "photos/mlkit_bird.jpg",
      expected: .label("Ardea cinerea", nil)),
    Row(
      model: "classify/mlkit_automl/automl_labeler_model.tflite", photo: "photos/mlkit_sunflower.jpg",
      labels: "models/classify/mlkit_automl/automl_labeler_labels.txt", expected: .label("sunflowers", nil)),
    Row(
      model: "classify/mlkit_object_labeler.tflite", photo: "photos/tfls_burger.jpg",
      expected: .label("/m/02wbm", nil)),
    Row(
      model: "classify/tfls_automl_labeler_model.tflite", photo: "photos/mlkit_tulips.jpeg",
      expected: .label("tulips", nil)),
    Row(
      model: "classify/tfls_mobilenet_v1_0.25_224_1_default_1.tflite", photo: "photos/tfls_burger.jpg",
      labels: "models/classify/tfls_labels.txt", expected: .label("cheeseburger", nil)),
    Row(
      model: "classify/tfls_mobilenet_v1_0.25_224_1_metadata_1.tflite", photo: "photos/tfls_burger.jpg",
      expected: .label("cheeseburger", nil)),
    Row(
      model: "classify/tfls_mobilenet_v1_0.25_224_quant.tflite", photo: "photos/tfls_burger.jpg",
      expected: .label("cheeseburger", nil)),
    Row(
      model: "classify/tfls_mobilenet_v1_0.25_224_quant_without_subgraph_metadata.tflite",
      photo: "photos/tfls_burger.jpg", expected: .label(nil, 934)),
    Row(
      model: "classify/tfls_mobilenet_v2_1.0_224_quant.tflite", photo: "photos/tfls_burger.jpg",
      labels: "models/classify/tfls_labels.txt", expected: .label("cheeseburger", nil)),
    Row(
      model: "classify/vww_person_mobilenet_v1_0.25_96_int8.tflite", photo: "photos/coral_face.jpg",
      expected: .label(nil, 1)),
    Row(model: "own/coarse_fp16.tflite", photo: "photos/tfls_burger.jpg", expected: .label(nil, 1)),
    Row(model: "own/coarse_int8.tflite", photo: "photos/tfls_burger.jpg", expected: .label(nil, 1)),
    Row(
      model: "detect/automl_traffic_model.tflite", photo: "models/detect/automl_traffic_frames/0001.bmp",
      expected: .object(nil, 1, BoundingBox(x: 216.6, y: 142.4, width: 39.4, height: 47.4))),
    Row(
      model: "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite", expected: .object("cat", 16, coco)),
    Row(
      model: "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29_no_metadata.tflite",
      labels: "models/detect/coco_ssd_labelmap.txt", expected: .object("cat", 16, coco)),
    Row(
      model: "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29_score_calibration.tflite",
      expected: .object("cat", 16, coco)),
    // goldens.json, row 0: top 0.352, left 0.320, bottom 0.995, right 0.545.
    Row(
      model: "detect/lite-model_object_detection_mobile_object_localizer_v1_1_metadata_2.tflite",
      expected: .object("Entity", 0, BoundingBox(x: 384, y: 211, width: 270, height: 386))),
    Row(
      model: "detect/mobile_object_localizer_v1_1_default_1.tflite",
      expected: .object(nil, 0, BoundingBox(x: 384, y: 211, width: 270, height: 386))),
    Row(
      model: "own/localizer_fp16.tflite",
      expected: .object(nil, nil, BoundingBox(x: 384, y: 190, width: 240, height: 400))),
    Row(
      model: "own/localizer_int8.tflite",
      expected: .object(nil, nil, BoundingBox(x: 384, y: 190, width: 240, height: 400))),
    Row(
      model: "invalid/coral_model_invoking_error.tflite",
      expected: .failure(
        "model-unsupported", "it needs the operator 'fake-op-double', which LiteRT does not have")),
    // Its graph is sound, for images of one pixel.
    Row(
      model: "invalid/tfls_dilated_conv.tflite",
      expected: .failure("model-unsupported", "'input_1' float32 [1, 1, 1, 3], one pixel")),
    // Folders and files that are not models.
    Row(
      model: "classify/mlkit_automl_android",
      expected: .failure("metadata-missing-file", "but there is no such file")),
    Row(
      model: "own/checkpoints/localizer_mnv2_173k.keras",
      expected: .failure("model-invalid", "it is a ZIP archive")),
    Row(
      model: "classify/tfls_labels.txt", expected: .failure("model-invalid", "it is text that begins with")),
    Row(model: "detect", expected: .failure("metadata-ambiguous", "has 7 models")),
  ]

  /// Models whose family has its own tests.
  static let elsewhere: Set<String> = ["detect/yolox_nano.tflite"]

  @Test func `no model is forgotten`() throws {
    var found: Set<String> = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: SharedData.path("models"))
    where name.hasSuffix(".tflite") { found.insert(name) }
    let listed = Set(Self.rows.map(\.model)).union(Self.elsewhere)
    #expect(found.subtracting(listed) == [])
    #expect(listed.subtracting(found).filter { $0.hasSuffix(".tflite") } == [])
  }

  /// The photo; a BMP as PNG if BMP is not supported.
  static func input(_ photo: String) throws -> ImageInput {
    guard photo.hasSuffix(".bmp") else { return .file(SharedData.path(photo)) }
    return .data(try BitmapFile(SharedData.bytes(photo)).png(), name: photo)
  }

  @Test(arguments: rows) func `each model gives right results, or reports why not`(_ row: Row) async throws {
    let source = ModelSource.file(SharedData.path("models/" + row.model))
    let labels = row.labels.map { SharedData.path($0) }
    switch row.expected {
    case .label(let text, let index):
      var options = ImageLabeler.Options()
      options.labelFile = labels
      options.threshold = 0
      let first = try #require(
        try await ImageLabeler(model: source, options: options).labels(in: Self.input(row.photo)).first)
      if let text { #expect(first.text?.contains(text) == true, "\(first)") }
      if let index { #expect(first.index == index, "\(first)") }
    case .object(let text, let index, let box):
      var options = ObjectDetector.Options()
      options.labelFile = labels
      let objects = try await ObjectDetector(model: source, options: options).detect(
        in: Self.input(row.photo))
      let first = try #require(objects.first { $0.box.iou(with: box) > 0.8 }, "\(objects)")
      if let text { #expect(first.labels.first?.text == text, "\(first)") }
      if let index { #expect(first.labels.first?.index == index, "\(first)") }
    case .failure(let code, let message):
      var options = ObjectDetector.Options()
      options.labelFile = labels
      let error = await #expect(throws: FoveaError.self) {
        _ = try await ObjectDetector(model: source, options: options)
      }
      #expect(error?.code.rawValue == code)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }
}
