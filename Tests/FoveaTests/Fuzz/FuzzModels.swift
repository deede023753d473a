// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaMetadata
import FoveaTesting

/// The sound models that damage starts with.
enum FuzzModels {
  struct File {
    let name: String
    var contents: [UInt8]
  }

  struct Entry {
    let bytes: [UInt8]
    /// The files next to it in its folder; none for a model given as a file.
    var files: [File] = []
    let sites: Result<ModelSites, any Error>

    init(_ bytes: [UInt8], files: [File] = []) {
      self.bytes = bytes
      self.files = files
      sites = Result { try ModelSites(bytes, archiveStart: try ModelArchive.read(bytes)?.start) }
    }
  }

  static func entries(_ kind: ModelFuzz.Kind) throws -> [Entry] {
    switch kind {
    case .bytes, .graph: try small.map { Entry(try fixture($0)) }
    case .rewritten: [Entry(try fixture("classifier_uint8"))]
    case .metadata: try described()
    case .folder: try folders()
    case .wild: try WildModels.all().map { Entry($0) }
    case .real, .realMetadata: try real.map { Entry($0) }
    }
  }

  private static let fixtures = PackageRoot.path + "/Tests/Fixtures/models/"

  private static let small = [
    "centernet", "classifier_uint8", "efficientdet", "fomo", "fomo_int8", "lstm_ssd", "mediapipe_face",
    "mediapipe_face_full",
    "mediapipe_palm", "mediapipe_pose",
    "movenet", "movenet_multi", "movenet_multi_open", "nanodet", "nanodet_plus", "picodet",
    "ssd", "ssd_edges", "ssd_joined",
    "ssd_joined_edges",
    "ssd_joined_short", "ssd_logits", "ssd_postprocess", "ssd_priors", "ssd_sigmoid", "yolov10",
    "yolov10_pixels", "yolov5", "yolov5_uint8", "yolov8", "yolov8_int8", "yolov8_planar", "yolov8_transposed",
    "yolov2", "yolox", "yolox_nms", "yolox_nms_named", "yolox_nms_open", "yolox_raw", "grey_flat",
    "grey_uint8",
    "hand_landmarks", "landmarks", "rtmpose", "logits", "yolov4", "yolov8_seg", "yolo_pair",
    "yolo_pair_columns",
    "yolo_split",
    "yolo_split_maps", "yolo_split_joined", "yolov7_joined", "yolov5_face", "yolov6", "damo_yolo", "detr",
    "detr_softmax", "rt_detr",
  ]

  private static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func fixture(_ name: String) throws -> [UInt8] { try read(fixtures + name + ".tflite") }

  /// Small models with all kinds of metadata.
  private static func described() throws -> [Entry] {
    var entries: [Entry] = []
    for name in ["ssd_postprocess", "classifier_uint8", "yolov8", "ssd_sigmoid"] {
      let model = try fixture(name)
      let summary = try ModelGraphSummary.read(model)
      var metadata = ModelMetadata()
      metadata.name = name
      metadata.license = "Apache-2.0"
      metadata.subgraphs = [ModelMetadata.Subgraph()]
      var input = TensorMetadata(name: "image", content: .image(colorSpace: .rgb, defaultSize: nil))
      input.processUnits = [.normalization(Normalization(mean: [0], standardDeviation: [1]))]
      metadata.subgraphs[0].inputs = [input]
      let names = ["location", "category", "score", "number of detections"].prefix(summary.outputCount)
      metadata.subgraphs[0].outputs = names.map { TensorMetadata(name: $0) }
      let labeled = summary.outputCount == 4 ? 1 : 0
      let isValue = summary.outputCount == 4
      metadata.subgraphs[0].outputs[labeled].files = [
        AssociatedFile(name: "labels.txt", kind: isValue ? .valueLabels : .axisLabels),
        AssociatedFile(name: "labels-de.txt", kind: isValue ? .valueLabels : .axisLabels, locale: "de"),
        AssociatedFile(name: "calibration.csv", kind: .axisScoreCalibration),
      ]
      metadata.subgraphs[0].outputs[labeled].processUnits = [
        .scoreThreshold(0.2),
        .scoreCalibration(ScoreCalibrationOptions(transformation: .log, defaultScore: 0.1)),
      ]
      let texts = [
        ("labels.txt", "red\ngreen\nblue\n"), ("labels-de.txt", "rot\r\ngrün\r\nblau\r\n"),
        ("calibration.csv", "1,2,3\n\n0.5,1.5,-2,0.25\n"),
      ]
      let files = texts.map { AssociatedFileContents(name: $0.0, contents: Array($0.1.utf8)) }
      entries.append(Entry(try MetadataWriter.write(metadata, files: files, to: model)))
    }
    return entries
  }

  /// The three kinds of folders that models come in.
  private static func folders() throws -> [Entry] {
    let labels = File(name: "dict.txt", contents: Array("red\ngreen\nblue\n".utf8))
    let labeling = """
      {"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING",}
      """
    let detection = """
      {"batchSize": 1, "inferenceType": "QUANTIZED_UINT8", "inputShape": [1, 64, 64, 3], "inputTensor": "image",
       "maxDetections": 10, "outputTensorRepresentation": ["bounding_boxes", "class_labels", "class_confidences",
       "num_of_boxes"], "outputTensors": ["TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess:1",
       "TFLite_Detection_PostProcess:2", "TFLite_Detection_PostProcess:3"]}
      """
    return [
      Entry(
        try fixture("classifier_uint8"),
        files: [labels, File(name: "manifest.json", contents: Array(labeling.utf8))]),
      Entry(
        try fixture("ssd_postprocess"),
        files: [labels, File(name: "tflite_metadata.json", contents: Array(detection.utf8))]),
      Entry(try fixture("yolov8"), files: [labels]),
    ]
  }

  /// The embedded models and, if the shared data exist, real ones by others.
  private static var real: [[UInt8]] {
    get throws {
      let embedded = PackageRoot.path + "/Sources/C/CEmbeddedModels/models/"
      var paths = ["coarse_int8.tflite", "detector80_int8.tflite", "localizer_int8.tflite"].map {
        embedded + $0
      }
      if SharedData.isPresent {
        for name in try FileManager.default.subpathsOfDirectory(atPath: SharedData.path("models")).sorted()
        where name.hasSuffix(".tflite") { paths.append(SharedData.path("models/" + name)) }
      }
      return try paths.map(read)
    }
  }
}
