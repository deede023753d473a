// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting
import Testing

@testable import FoveaMetadata

/// Other people's models, compared with the values that Python's FlatBuffers and zipfile read from the same
/// files.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct RealModelTests {
  struct Case: CustomTestStringConvertible {
    let file: String
    let name: String?
    var operators: Int
    var outputs: [String?] = []
    var files: [String] = []
    var custom: [Int] = []
    var normalization: Normalization?
    var threshold: Float?
    var minParserVersion: String?
    var testDescription: String { file }
  }

  static let half = Normalization(mean: [127.5], standardDeviation: [127.5])
  static let unit = Normalization(mean: [0], standardDeviation: [1])

  static let cases: [Case] = [
    Case(
      file: "classify/coral_mobilenet_v1_0.25_128_quant", name: "ImageClassifier", operators: 31,
      outputs: ["probability"], files: ["imagenet_labels.txt"], normalization: half, minParserVersion: "1.0.0"
    ),
    Case(
      file: "classify/lite-model_aiy_vision_classifier_birds_V1_3", name: "aiy/vision/classifier/birds_V1",
      operators: 65, outputs: ["probability"],
      files: ["probability-labels-en.txt", "probability-labels.txt"],
      normalization: half, threshold: 0.2, minParserVersion: "1.0.0"),
    Case(
      file: "classify/mlkit_bird", name: "aiy/classifier/natural_world_birds_V1", operators: 65,
      outputs: ["0"],
      files: ["0-labels-en.txt", "0-labels.txt"], threshold: 0.3),
    Case(
      file: "classify/mlkit_object_labeler", name: "google/object_detection/mobile_object_labeler_V1",
      operators: 67,
      outputs: ["probability"], files: ["probability-labels.txt", "probability-labels-en.txt"],
      normalization: half,
      threshold: 0.35, minParserVersion: "1.0.0"),
    Case(
      file: "classify/tfls_automl_labeler_model", name: "AutoML image classifier", operators: 66,
      outputs: ["probability"], files: ["labels.txt"], normalization: unit, minParserVersion: "1.0.0"),
    Case(
      file: "classify/tfls_mobilenet_v1_0.25_224_quant_without_subgraph_metadata",
      name: "MobileNetV1 image classifier (quantized)", operators: 31, files: ["labels.txt"],
      minParserVersion: "1.0.0"),
    Case(
      file: "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", name: "Coco SSD MobileNetV1", operators: 64,
      outputs: ["locations", "classes", "scores", "number of detections"], files: ["labelmap.txt"],
      custom: [217],
      normalization: half, minParserVersion: "1.0.0"),
    Case(
      file: "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29_score_calibration", name: "ObjectDetector",
      operators: 64, outputs: ["location", "category", "score", "number of detections"],
      files: ["score_calibration_dummy.csv", "labelmap.txt"], custom: [217], normalization: half,
      minParserVersion: "1.2.0"),
    Case(
      file: "detect/lite-model_object_detection_mobile_object_localizer_v1_1_metadata_2",
      name: "Mobile Object Localizer", operators: 115,
      outputs: ["location", "category", "score", "number of detections"], files: ["labelmap.txt"],
      custom: [316],
      normalization: half, minParserVersion: "1.2.0"),
    Case(
      file: "invalid/tfls_dilated_conv", name: "Dilated Convolution Model", operators: 25, outputs: [nil],
      normalization: unit, minParserVersion: "1.0.0"),
  ]

  @Test(arguments: cases) func `metadata match those that Python reads`(_ row: Case) throws {
    let bytes = try SharedData.bytes("models/\(row.file).tflite")
    let metadata = try #require(try ModelMetadata.read(bytes))
    #expect(metadata.name == row.name)
    #expect(metadata.outputs.map(\.name) == row.outputs)
    #expect(metadata.inputs.first?.normalization == row.normalization)
    #expect(metadata.outputs.first?.scoreThreshold == row.threshold)
    #expect(metadata.minParserVersion == row.minParserVersion)
    let archive = try #require(try ModelArchive.read(bytes))
    #expect(archive.entries.map(\.name) == row.files)
    for entry in archive.entries {
      #expect(try archive.contents(of: entry.name, in: bytes).count == entry.size)
    }
    let summary = try ModelGraphSummary.read(bytes)
    #expect(summary.subgraphCount == 1)
    #expect(summary.operatorCount == row.operators)
    #expect(summary.customOperators.map(\.options.count) == row.custom)
    #expect(summary.customOperators.allSatisfy { $0.name == "TFLite_Detection_PostProcess" })
  }

  @Test(arguments: [
    "classify/mlkit_automl/automl_labeler_model", "classify/tfls_mobilenet_v1_0.25_224_1_default_1",
    "classify/tfls_mobilenet_v2_1.0_224_quant", "classify/vww_person_mobilenet_v1_0.25_96_int8",
    "detect/automl_traffic_model", "detect/mobile_object_localizer_v1_1_default_1", "detect/yolox_nano",
    "invalid/coral_model_invoking_error", "own/coarse_fp16", "own/localizer_fp16",
  ]) func `a model without metadata gives nil and no archive`(_ file: String) throws {
    let bytes = try SharedData.bytes("models/\(file).tflite")
    #expect(try ModelMetadata.read(bytes) == nil)
    #expect(try ModelArchive.read(bytes) == nil)
    #expect(try ModelGraphSummary.read(bytes).operatorCount > 0)
  }

  @Test func `the bird model has 965 labels in two files`() throws {
    let bytes = try SharedData.bytes("models/classify/mlkit_bird.tflite")
    let output = try #require(try ModelMetadata.read(bytes)).outputs[0]
    let map = try #require(try LabelMap.read(for: output, model: bytes))
    #expect(map.count == 965)
    try map.check(classCount: 965, of: "output 0")
    let index = try #require(map.names.firstIndex(of: "Haemorhous cassinii"))
    let english = try #require(try LabelMap.read(for: output, locale: "en", model: bytes))
    #expect(english.text(for: index) == "Haemorhous cassinii (Cassin's Finch)")
    #expect(map.text(for: index) == "Haemorhous cassinii")
    let error = failure { () throws(MetadataError) in
      try LabelMap.read(for: output, locale: "de", model: bytes)
    }
    #expect(error?.message == "The model has no labels in the locale 'de'; it has en")
  }

  @Test func `the detector's boxes are top, left, bottom, right`() throws {
    let bytes = try SharedData.bytes(
      "models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29_score_calibration.tflite")
    let metadata = try #require(try ModelMetadata.read(bytes))
    let layout = BoundingBoxLayout(kind: .boundaries, coordinates: .ratio, index: [1, 0, 3, 2])
    #expect(metadata.outputs[0].content == .boundingBoxes(layout))
    #expect(metadata.outputs[0].contentRange == 2...2)
    #expect(
      metadata.subgraphs[0].outputGroups == [
        .init(name: "detection_result", tensorNames: ["location", "category", "score"])
      ])
    #expect(metadata.inputs[0].content == .image(colorSpace: .rgb, defaultSize: nil))
    #expect(metadata.inputs[0].minimum == [0])
    #expect(metadata.inputs[0].maximum == [255])
    let labels = try #require(try LabelMap.read(for: metadata.outputs[1], model: bytes))
    let found = try ScoreCalibration.read(
      for: metadata.outputs[2], classCount: labels.count, model: bytes.span)
    let calibration = try #require(found)
    #expect(calibration.options == ScoreCalibrationOptions(transformation: .inverseLogistic, defaultScore: 0))
    #expect(calibration.sigmoids.count == labels.count)
  }

  @Test func `another tool's metadata can be replaced`() throws {
    let bytes = try SharedData.bytes("models/classify/mlkit_bird.tflite")
    var metadata = ModelMetadata()
    metadata.name = "Birds"
    let result = try MetadataWriter.write(metadata, to: bytes)
    #expect(try ModelMetadata.read(result)?.name == "Birds")
    #expect(try ModelArchive.read(result) == nil)
    #expect(try ModelGraphSummary.read(result) == (try ModelGraphSummary.read(bytes)))
  }
}

/// The two models in the package carry their metadata; needs no shared data.
@Suite struct EmbeddedModelTests {
  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](
      try Data(
        contentsOf: URL(fileURLWithPath: PackageRoot.path + "/Sources/C/CEmbeddedModels/models/" + name))
    )
  }

  @Test func `the localizer describes itself`() throws {
    let bytes = try Self.bytes("localizer_int8.tflite")
    let metadata = try #require(try ModelMetadata.read(bytes))
    #expect(metadata.name == "Fovea object localizer")
    #expect(metadata.author == "Fovea contributors")
    #expect(metadata.outputs.map(\.name) == ["boxes", "scores"])
    #expect(metadata.outputs[1].scoreThreshold == 0.3)
    #expect(metadata.inputs[0].normalization == RealModelTests.half)
    #expect(
      metadata.inputs[0].content == .image(colorSpace: .rgb, defaultSize: ImageSize(width: 192, height: 192)))
  }

  @Test func `the coarse classifier names its five categories`() throws {
    let bytes = try Self.bytes("coarse_int8.tflite")
    let metadata = try #require(try ModelMetadata.read(bytes))
    #expect(metadata.outputs[0].scoreThreshold == 0.5)
    let labels = try #require(try LabelMap.read(for: metadata.outputs[0], model: bytes))
    #expect(labels.names == ["Fashion good", "Food", "Home good", "Place", "Plant"])
  }

  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"),
    arguments: ["localizer_int8.tflite", "coarse_int8.tflite"])
  func `the embedded model is the trained one, byte for byte`(_ name: String) throws {
    let inner = try MetadataWriter.removing(from: try Self.bytes(name))
    #expect(inner == (try SharedData.bytes("models/own/" + name)))
  }
}
