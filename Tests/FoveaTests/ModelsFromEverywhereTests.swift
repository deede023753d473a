// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaMetadata
import FoveaTesting
import Testing

/// Real models of each family, with metadata and without, on photos with known content.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct ModelsFromEverywhereTests {
  static func model(_ name: String) -> ModelSource { .file(SharedData.path("models/" + name)) }
  static func photo(_ name: String) -> ImageInput { .file(SharedData.path("photos/" + name)) }

  /// **Source:** MediaPipe Tasks 1.2.2, `goldens/mediapipe`; boxes within a few pixels, scores within 0.03.
  @Test(arguments: [
    "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite",
    // Its calibration is the inverse of its own transformation: the scores stay unchanged.
    "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29_score_calibration.tflite",
  ])
  func `coco SSD finds two cats as MediaPipe does`(_ name: String) async throws {
    let detector = try await ObjectDetector(model: Self.model(name))
    let objects = try await detector.detect(in: Self.photo("tfls_cats_and_dogs.jpg"))
    let expected: [(Float, BoundingBox)] = [
      (0.699, BoundingBox(x: 608, y: 164, width: 381, height: 432)),
      (0.656, BoundingBox(x: 57, y: 398, width: 386, height: 196)),
      (0.512, BoundingBox(x: 256, y: 394, width: 173, height: 202)),
    ]
    for (score, box) in expected {
      let found = objects.first { $0.box.iou(with: box) > 0.9 && $0.labels.first?.text == "cat" }
      #expect(abs((found?.score ?? 0) - score) < 0.03, "\(box)")
    }
  }

  /// Both differ from the reference kernels by about as much; see docs/lab/performance.md.
  @Test(arguments: [
    "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite",
    "detect/mobile_object_localizer_v1_1_default_1.tflite",
  ])
  func `a detector finds the same in int8 as in its stored uint8`(_ name: String) async throws {
    var options = ObjectDetector.Options()
    options.threshold = 0.4
    let fast = try await ObjectDetector(model: Self.model(name), options: options)
    options.exactArithmetic = true
    options.threshold = 0.2
    let exact = try await ObjectDetector(model: Self.model(name), options: options)
    for photo in ["tfls_cats_and_dogs.jpg", "mlkit_beach.jpg"] {
      let stored = try await exact.detect(in: Self.photo(photo))
      for object in try await fast.detect(in: Self.photo(photo)) {
        let same = stored.first {
          $0.box.iou(with: object.box) > 0.8 && $0.labels.first?.index == object.labels.first?.index
        }
        #expect(abs((same?.score ?? 0) - object.score) < 0.12, "\(photo) \(object)")
      }
    }
  }

  @Test(arguments: [
    "coral_mobilenet_v2_1.0_224_quant", "tfls_mobilenet_v1_0.25_224_quant", "mlkit_bird",
    "mlkit_object_labeler",
    "tfls_automl_labeler_model",
  ])
  func `a classifier's confident results are the same in int8`(_ name: String) async throws {
    let model = Self.model("classify/\(name).tflite")
    var options = ImageLabeler.Options()
    options.threshold = 0
    let fast = try await ImageLabeler(model: model, options: options)
    options.exactArithmetic = true
    let exact = try await ImageLabeler(model: model, options: options)
    for photo in ["tfls_cats_and_dogs.jpg", "mlkit_beach.jpg", "tfls_burger.jpg"] {
      let stored = try await exact.labels(in: Self.photo(photo))
      let labels = try await fast.labels(in: Self.photo(photo))
      let best = try #require(stored.first)
      guard best.confidence - stored[1].confidence >= 0.2 else { continue }
      #expect(labels.first?.index == best.index, "\(photo)")
    }
  }

  /// **Source:** MediaPipe, `image_classifier_test.cc`, SucceedsWithScoreCalibration: the identity, scale 1, slope 1,
  /// offset 0 make 0.7256 of the burger's 0.9727.
  @Test func `a classifier's scores are calibrated before they meet the threshold`() async throws {
    let name = "classify/tfls_mobilenet_v1_0.25_224_quant.tflite"
    let bytes = try SharedData.bytes("models/" + name)
    var metadata = try #require(try ModelMetadata.read(bytes))
    let labels = try #require(try LabelMap.read(for: metadata.outputs[0], model: bytes))
    metadata.subgraphs[0].outputs[0].processUnits.append(.scoreCalibration(.init(defaultScore: 0.1)))
    metadata.subgraphs[0].outputs[0].files.append(
      AssociatedFile(name: "calibration.txt", kind: .axisScoreCalibration))
    // The other classes have no curve: they get the default.
    let lines = labels.names.indices.map { $0 == 934 ? "1,1,0" : "" }
    let files = [
      AssociatedFileContents(
        name: metadata.outputs[0].files[0].name, contents: Array(labels.names.joined(separator: "\n").utf8)),
      AssociatedFileContents(name: "calibration.txt", contents: Array(lines.joined(separator: "\n").utf8)),
    ]
    let folder = try TemporaryFolder()
    let path = try folder.write("calibrated.tflite", MetadataWriter.write(metadata, files: files, to: bytes))
    let found = try await ImageLabeler(model: .file(path)).labels(in: Self.photo("tfls_burger.jpg"))
    #expect(found.first?.text == "cheeseburger")
    #expect(abs((found.first?.confidence ?? 0) - 0.7256) < 0.003)
    #expect(found.dropFirst().allSatisfy { $0.confidence == 0.1 })
    var options = ImageLabeler.Options()
    options.threshold = 0.5
    #expect(
      try await ImageLabeler(model: .file(path), options: options).labels(in: Self.photo("tfls_burger.jpg"))
        .count
        == 1)
  }

  @Test func `an AutoML detection folder has its labels, and a manifest of another model is rejected`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("model.tflite", SharedData.bytes("models/detect/automl_traffic_model.tflite"))
    try folder.write("dict.txt", "car\nsign\nlight\n")
    func manifest(_ side: Int) throws {
      try folder.write(
        "tflite_metadata.json",
        """
        {"inferenceType": "QUANTIZED_UINT8", "inputShape": [1, \(side), \(side), 3], "maxDetections": 2,
         "outputTensorRepresentation": ["bounding_boxes", "class_labels", "class_confidences", "num_of_boxes"],
         "outputTensors": ["TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess:1",
           "TFLite_Detection_PostProcess:2", "TFLite_Detection_PostProcess:3"]}
        """)
    }
    try manifest(256)
    var options = ObjectDetector.Options()
    options.threshold = 0.2
    let objects = try await ObjectDetector(model: .file(folder.path), options: options)
      .detect(in: EveryModelTests.input("models/detect/automl_traffic_frames/0001.bmp"))
    // LiteRT in Python: sign 0.41, car 0.39, and two more that the manifest leaves out.
    #expect(objects.map { $0.labels.first?.text } == ["sign", "car"])
    #expect(abs((objects.first?.score ?? 0) - 0.414) < 0.02)
    try manifest(512)
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: .file(folder.path))
    }
    #expect(error?.code.rawValue == "metadata-bad-manifest")
    #expect(error?.message.contains("declares an input of QUANTIZED_UINT8 [1, 512, 512, 3], but") == true)
  }

  @Test func `without metadata the classes are numbers, and a label file names them`() async throws {
    let name = "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29_no_metadata.tflite"
    let bare = try await ObjectDetector(model: Self.model(name)).detect(
      in: Self.photo("tfls_cats_and_dogs.jpg"))
    #expect(
      bare.first?.labels.first == Label(text: nil, index: 16, confidence: try #require(bare.first).score))
    var options = ObjectDetector.Options()
    options.labelFile = SharedData.path("models/detect/coco_ssd_labelmap.txt")
    let named = try await ObjectDetector(model: Self.model(name), options: options)
      .detect(in: Self.photo("tfls_cats_and_dogs.jpg"))
    #expect(named.map(\.box) == bare.map(\.box))
    #expect(named.first?.labels.first?.text != nil)
  }

  @Test func `allowed classes are chosen before the number of objects is limited`() async throws {
    var options = ObjectDetector.Options()
    options.allowedLabels = ["dog"]
    options.maxObjects = 1
    let name = "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
    let objects = try await ObjectDetector(model: Self.model(name), options: options)
      .detect(in: Self.photo("tfls_cats_and_dogs.jpg"))
    #expect(objects.map { $0.labels.first?.text } == ["dog"])
  }

  @Test func `errors show the types of the file, not those that run`() async throws {
    var options = ObjectDetector.Options()
    options.family = .yolox
    let name = "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: Self.model(name), options: options)
    }
    #expect(
      error?.message.contains("1 input: 'normalized_input_image_tensor' uint8 [1, 300, 300, 3]; 4 outputs")
        == true, "\(error?.message ?? "")")
  }

  @Test func `options for labels are an error if no classifier gives any`() async throws {
    var options = ObjectDetector.Options()
    options.labelThreshold = 0.5
    let name = "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: Self.model(name), options: options)
    }
    #expect(error?.code == .optionInvalid)
    options.labelThreshold = nil
    options.scoreActivation = .sigmoid
    let second = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: Self.model(name), options: options)
    }
    #expect(second?.code == .optionInvalid)
  }

  @Test func `labels that do not fit are an error`() async throws {
    var options = ImageLabeler.Options()
    options.labelFile = SharedData.path("models/classify/mlkit_automl/automl_labeler_labels.txt")
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ImageLabeler(model: Self.model("classify/mlkit_bird.tflite"), options: options)
    }
    #expect(error?.code.rawValue == "metadata-count-mismatch")
    #expect(error?.message.contains("has 5 labels, but output 0") == true)
    #expect(error?.message.contains("has 965 classes") == true)
  }

  @Test func `the bird model's own threshold is used, and an option overrides it`() async throws {
    let name = "classify/mlkit_bird.tflite"
    let labels = try await ImageLabeler(model: Self.model(name)).labels(in: Self.photo("mlkit_bird.jpg"))
    #expect(labels.map(\.text) == ["Ardea cinerea"])
    #expect(labels.allSatisfy { $0.confidence >= 0.3 })
    var options = ImageLabeler.Options()
    options.threshold = 0
    let all = try await ImageLabeler(model: Self.model(name), options: options)
      .labels(in: Self.photo("mlkit_bird.jpg"))
    #expect(all.count == 10)
  }

  struct LabelCase: Sendable, CustomTestStringConvertible {
    var model: String
    var photo: String
    var labelFile: String?
    var locale: String?
    var text: String?
    var index: Int?
    var testDescription: String { "\(model) on \(photo)\(locale.map { " in \($0)" } ?? "")" }
  }

  static let labelCases = [
    LabelCase(model: "classify/mlkit_bird.tflite", photo: "tfls_sparrow.png", text: nil),
    LabelCase(model: "classify/mlkit_automl", photo: "mlkit_sunflower.jpg", text: "sunflowers"),
    LabelCase(
      model: "classify/mlkit_automl/automl_labeler_manifest.json", photo: "mlkit_tulips.jpeg", text: "tulips"),
    LabelCase(
      model: "classify/tfls_mobilenet_v1_0.25_224_quant.tflite", photo: "tfls_burger.jpg",
      text: "cheeseburger"),
    LabelCase(
      model: "classify/tfls_mobilenet_v1_0.25_224_1_metadata_1.tflite", photo: "tfls_burger.jpg",
      text: "cheeseburger"),
    LabelCase(
      model: "classify/coral_mobilenet_v2_1.0_224_quant.tflite", photo: "coral_parrot.jpg",
      labelFile: "classify/coral_imagenet_labels.txt", text: "macaw"),
    LabelCase(
      model: "classify/vww_person_mobilenet_v1_0.25_96_int8.tflite", photo: "coral_face.jpg", index: 1),
  ]

  @Test(arguments: labelCases)
  func `classifiers of each kind name the content of the photo`(_ item: LabelCase) async throws {
    var options = ImageLabeler.Options()
    options.labelFile = item.labelFile.map { SharedData.path("models/" + $0) }
    options.locale = item.locale
    let labels = try await ImageLabeler(model: Self.model(item.model), options: options).labels(
      in: Self.photo(item.photo))
    let first = try #require(labels.first)
    if let text = item.text { #expect(first.text?.contains(text) == true, "\(first)") }
    if let index = item.index { #expect(first.index == index, "\(first)") }
    #expect((0...1.01).contains(first.confidence))
  }

  @Test func `display names have the requested locale`() async throws {
    var options = ImageLabeler.Options()
    options.allowedLabels = ["Haemorhous cassinii"]
    options.threshold = 0
    let plain = try await ImageLabeler(model: Self.model("classify/mlkit_bird.tflite"), options: options)
      .labels(in: Self.photo("tfls_sparrow.png"))
    #expect(plain.map(\.text) == ["Haemorhous cassinii"])
    options.locale = "en"
    let english = try await ImageLabeler(model: Self.model("classify/mlkit_bird.tflite"), options: options)
      .labels(in: Self.photo("tfls_sparrow.png"))
    #expect(english.map(\.text) == ["Haemorhous cassinii (Cassin's Finch)"])
  }

  @Test func `a sigmoid classifier may give several labels`() async throws {
    var options = ImageLabeler.Options()
    options.threshold = 0.02
    let labels = try await ImageLabeler(
      model: Self.model("classify/mlkit_object_labeler.tflite"), options: options
    )
    .labels(in: Self.photo("mlkit_sunflower.jpg"))
    #expect(labels.count >= 2)
    #expect(labels.map(\.confidence).reduce(0, +) > 1)
  }

  @Test func `a classifier used as detector labels what the embedded localizer finds`() async throws {
    let detector = try await ObjectDetector(model: Self.model("classify/mlkit_automl"))
    let objects = try await detector.detect(in: Self.photo("mlkit_sunflower.jpg"))
    #expect(objects.first?.labels.first?.text == "sunflowers")
  }

  @Test func `a custom classifier labels the crops`() async throws {
    var options = ObjectDetector.Options()
    options.classifier = .model(Self.model("classify/mlkit_automl"))
    let objects = try await ObjectDetector(options: options).detect(in: Self.photo("mlkit_tulips.jpeg"))
    #expect(objects.contains { $0.labels.first?.text == "tulips" })
  }

  @Test func `a detector is not a labeler, and reports it`() async throws {
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ImageLabeler(model: Self.model("detect/yolox_nano.tflite"))
    }
    #expect(error?.code.rawValue == "not-a-classifier")
  }
}
