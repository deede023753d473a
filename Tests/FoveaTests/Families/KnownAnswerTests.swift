// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// The tiny models of each family on an image with a known result, from the file to the box.
@Suite struct KnownAnswerTests {
  static func model(_ name: String) -> ModelSource {
    .file(PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite")
  }

  struct Family: Sendable, CustomTestStringConvertible {
    var model: String
    var family: DetectorFamily
    var testDescription: String { model }
  }

  static let families = [
    Family(model: "yolox", family: .yolox), Family(model: "yolox_raw", family: .yolox),
    Family(model: "yolov5", family: .yolov5), Family(model: "yolov5_uint8", family: .yolov5),
    Family(model: "yolov8", family: .yolov8), Family(model: "yolov8_transposed", family: .yolov8),
    Family(model: "yolov8_pixels", family: .yolov8), Family(model: "yolov8_int8", family: .yolov8),
    Family(model: "yolov8_planar", family: .yolov8), Family(model: "yolov8_edges", family: .yolov8),
    Family(model: "yolov8_seg", family: .yolov8), Family(model: "yolov8_seg_planar", family: .yolov8),
    Family(model: "yolov4", family: .yolov4), Family(model: "yolov4_tiny", family: .yolov4),
    Family(model: "yolov4_edges", family: .yolov4),
    Family(model: "yolo_pair", family: .yoloPair), Family(model: "yolo_pair_columns", family: .yoloPair),
    Family(model: "yolov7_joined", family: .yolov7Joined),
    Family(model: "yolov6", family: .yolov6), Family(model: "damo_yolo", family: .damoYOLO),
    Family(model: "yolov10", family: .yolov10), Family(model: "yolov10_pixels", family: .yolov10),
  ]

  /// Families without the four results per block of `families`, or whose bytes are not normalised.
  static let others = [
    Family(model: "yolov2", family: .yolov2), Family(model: "nanodet", family: .nanodet),
    Family(model: "nanodet_plus", family: .nanodet), Family(model: "picodet", family: .picodet),
    Family(model: "yolox_nms", family: .yoloxSuppressed),
    Family(model: "yolox_nms_named", family: .yoloxSuppressed),
    Family(model: "yolox_nms_open", family: .yoloxSuppressed),
    Family(model: "ssd_priors", family: .priorSSD), Family(model: "ssd_joined", family: .priorSSD),
    Family(model: "ssd_joined_short", family: .priorSSD),
    Family(model: "ssd_joined_edges", family: .priorSSD),
    Family(model: "ssd_edges", family: .edgeSSD), Family(model: "ssd_edges_row", family: .edgeSSD),
    Family(model: "yolov5_percent", family: .yolov5),
    Family(model: "yolo_split", family: .yoloSplit), Family(model: "yolo_split_maps", family: .yoloSplit),
    Family(model: "yolo_split_joined", family: .yoloSplit),
    Family(model: "centernet", family: .centerNet), Family(model: "centernet_planar", family: .centerNet),
    Family(model: "detr", family: .detr), Family(model: "detr_softmax", family: .detrSoftmax),
    Family(model: "rt_detr", family: .rtDETR),
  ]

  /// The family is named: the labels of no file here have three classes.
  static func options(_ family: Family) -> ObjectDetector.Options {
    var options = ObjectDetector.Options()
    options.family = family.family
    return options
  }

  static func expectBlocks(
    _ objects: [DetectedObject], upright: (BoundingBox) -> BoundingBox = { $0 },
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(objects.count == 2, sourceLocation: sourceLocation)
    for (index, block) in [(0, BlockImage.red), (2, BlockImage.blue)] {
      let object = objects.first { $0.labels.first?.index == index }
      let box = object.map { upright($0.box) } ?? BoundingBox(x: 0, y: 0, width: 0, height: 0)
      let slackX = Double(BlockImage.size.width) * 0.02
      let slackY = Double(BlockImage.size.height) * 0.02
      #expect(
        abs(box.minX - block.minX) <= slackX && abs(box.maxX - block.maxX) <= slackX, "\(box)",
        sourceLocation: sourceLocation)
      #expect(
        abs(box.minY - block.minY) <= slackY && abs(box.maxY - block.maxY) <= slackY, "\(box)",
        sourceLocation: sourceLocation)
      #expect((object?.score ?? 0) > 0.88, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: families + others)
  func `each family finds the blocks at their positions`(_ family: Family) async throws {
    let detector = try await ObjectDetector(model: Self.model(family.model), options: Self.options(family))
    Self.expectBlocks(try await detector.detect(in: BlockImage.png()))
  }

  @Test(arguments: families + others)
  func `the eight orientations give the same blocks`(_ family: Family) async throws {
    let detector = try await ObjectDetector(model: Self.model(family.model), options: Self.options(family))
    for orientation in Orientation.allCases {
      let result = try await detector.analyze(try BlockImage.jpeg(orientation))
      #expect(result.orientation == orientation)
      Self.expectBlocks(result.objects) { orientation.uprightBox(fromStored: $0, stored: result.size) }
    }
  }

  @Test(arguments: families + others)
  func `a region is letterboxed by itself`(_ family: Family) async throws {
    let detector = try await ObjectDetector(model: Self.model(family.model), options: Self.options(family))
    let objects = try await detector.detect(
      in: BlockImage.png(), region: BoundingBox(x: 24, y: 8, width: 112, height: 80))
    #expect(objects.count == 1)
    #expect(objects.first?.labels.first?.index == 0)
    #expect((objects.first?.box.iou(with: BlockImage.red) ?? 0) > 0.94)
  }

  @Test(arguments: (families + others).filter { !$0.model.hasSuffix("int8") && !$0.model.hasPrefix("ssd") })
  func `numbers in the wrong range find nothing`(_ family: Family) async throws {
    var options = Self.options(family)
    options.normalization = Normalization(mean: [127.5], standardDeviation: [127.5])
    let detector = try await ObjectDetector(model: Self.model(family.model), options: options)
    #expect(try await detector.detect(in: BlockImage.png()).isEmpty)
  }

  @Test(arguments: families.filter { $0.family != .yolov10 })
  func `the caller can change suppression`(_ family: Family) async throws {
    var options = Self.options(family)
    options.threshold = 0.2
    func count() async throws -> Int {
      try await ObjectDetector(model: Self.model(family.model), options: options)
        .detect(in: BlockImage.png()).count
    }
    #expect(try await count() == 2)
    // Each block, and the weak detection of the next class in the same place.
    options.suppression.crossClassIoU = 1
    #expect(try await count() == 4)
    options.suppression.isClassAgnostic = true
    #expect(try await count() == 2)
    // The third box has an IoU of 0.82 with the first.
    options.suppression = SuppressionOptions(iouThreshold: 0.9, crossClassIoU: 1)
    #expect(try await count() == 6)
    options.suppression.iouThreshold = 1.5
    let error = await #expect(throws: FoveaError.self) { try await count() }
    #expect(error?.code == .optionInvalid)
  }

  @Test func `labels show the family and name the classes`() async throws {
    let folder = PackageRoot.path + "/Tests/Fixtures/models/"
    var options = ObjectDetector.Options()
    options.labelFile = folder + "blocks.txt"
    for model in ["yolox", "yolov8_transposed", "yolov8", "yolov5"] {
      let detector = try await ObjectDetector(model: Self.model(model), options: options)
      let objects = try await detector.detect(in: BlockImage.png())
      #expect(Set(objects.compactMap { $0.labels.first?.text }) == ["red", "blue"], "\(model)")
    }
  }

  static let uncounted = [
    Family(model: "yolov10", family: .yolov10), Family(model: "yolox_nms", family: .yoloxSuppressed),
    Family(model: "yolox_nms_named", family: .yoloxSuppressed),
  ]

  typealias Change = (inout ObjectDetector.Options) -> Void

  @Test(arguments: uncounted, ["background", "???", "Hintergrund"])
  func `a background before the labels of a detector that does not count its classes shifts no name`(
    _ family: Family, _ background: String
  ) async throws {
    let folder = try TemporaryFolder()
    var options = Self.options(family)
    options.labelFile = try folder.write("labels.txt", "\(background)\nred\ngreen\nblue\n")
    let detector = try await ObjectDetector(model: Self.model(family.model), options: options)
    let error = await #expect(throws: FoveaError.self) { try await detector.detect(in: BlockImage.png()) }
    #expect(error?.code.rawValue == "labels-do-not-fit")
    #expect(
      error?.message.hasSuffix("is the background '\(background)' in '\(options.labelFile ?? "")'") == true)
    let note = "'\(background)', the first label of '\(options.labelFile ?? "")', is used as class 0."
    let notes = try await detector.assumptions().map(\.description)
    #expect(notes.contains { $0.contains(note) })
    let needs = try ModelInspection(of: Self.model(family.model), options: options).needs
    #expect(needs.contains { $0.description.contains(note) })

    // Lists of labels hide no class 0.
    for change in [{ $0.allowedLabels = ["blue"] }, { $0.deniedLabels = ["red"] }] as [Change] {
      var listed = options
      change(&listed)
      let detector = try await ObjectDetector(model: Self.model(family.model), options: listed)
      let hidden = await #expect(throws: FoveaError.self) {
        try await detector.detect(in: BlockImage.png())
      }
      #expect(hidden?.message == error?.message)
    }

    // Any plausible name of an object is accepted.
    for (text, first) in [("red\ngreen\nblue\n", "red"), ("empty\ngreen\nblue\n", "empty")] {
      options.labelFile = try folder.write("labels.txt", text)
      let detector = try await ObjectDetector(model: Self.model(family.model), options: options)
      let objects = try await detector.detect(in: BlockImage.png())
      #expect(Set(objects.compactMap { $0.labels.first?.text }) == [first, "blue"])
      let notes = try await detector.assumptions().map(\.description)
      #expect(notes.allSatisfy { !$0.contains("class 0") })
    }
  }

  @Test(arguments: uncounted)
  func `a blank line before the labels of a detector that does not count its classes shifts no name`(
    _ family: Family
  ) async throws {
    let folder = try TemporaryFolder()
    var options = Self.options(family)
    let file = try folder.write("labels.txt", "\nred\ngreen\nblue\n")
    options.labelFile = file
    let detector = try await ObjectDetector(model: Self.model(family.model), options: options)
    let error = await #expect(throws: FoveaError.self) { try await detector.detect(in: BlockImage.png()) }
    #expect(error?.code.rawValue == "labels-do-not-fit")
    #expect(error?.message.hasSuffix(" returned class 0, which is a blank line in '\(file)'") == true)
    let notes = try await detector.assumptions().map(\.description)
    #expect(notes.contains { $0.contains("the blank line at the start of '\(file)' is used as class 0.") })
  }

  @Test func `a blank line before the labels does not change the family of a YOLOX model`() async throws {
    let folder = try TemporaryFolder()
    var options = ObjectDetector.Options()
    options.labelFile = try folder.write("labels.txt", "\nred\ngreen\nblue\n")
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: Self.model("yolox"), options: options)
    }
    #expect(error?.code.rawValue == "ambiguous-family")
    options.family = .yolox
    let detector = try await ObjectDetector(model: Self.model("yolox"), options: options)
    #expect(try await detector.classNames() == ["red", "green", "blue"])
  }

  @Test(arguments: uncounted)
  func `a class beyond the last label is an error when it is found`(_ family: Family) async throws {
    let folder = try TemporaryFolder()
    var options = Self.options(family)
    for (text, end) in [("red\n", "has 1 label"), ("red\ngreen\n", "has 2 labels")] {
      options.labelFile = try folder.write("labels.txt", text)
      let detector = try await ObjectDetector(model: Self.model(family.model), options: options)
      let error = await #expect(throws: FoveaError.self) { try await detector.detect(in: BlockImage.png()) }
      #expect(error?.code.rawValue == "labels-do-not-fit")
      #expect(error?.message.contains(" returned class 2, but ") == true)
      #expect(error?.message.hasSuffix("labels.txt \(end)") == true, "\(error?.message ?? "")")
    }
  }

  @Test func `labels of joined rows match the classes as for other detectors`() async throws {
    let folder = try TemporaryFolder()
    var options = ObjectDetector.Options()
    options.family = .priorSSD
    options.labelFile = try folder.write("labels.txt", "Hintergrund\nred\ngreen\nblue\n")
    let detector = try await ObjectDetector(model: Self.model("ssd_joined"), options: options)
    let objects = try await detector.detect(in: BlockImage.png())
    #expect(Set(objects.compactMap { $0.labels.first?.text }) == ["red", "blue"])
    options.labelFile = try folder.write("labels.txt", "red\ngreen\nblue\nwhite\nblack\n")
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: Self.model("ssd_joined"), options: options)
    }
    #expect(error?.code.rawValue == "labels-do-not-fit")
    #expect(
      error?.message.hasSuffix(
        "has 5 labels; the extra ones are line 4 'white', line 5 'black'") == true,
      "\(error?.message ?? "")")
  }

  @Test(arguments: [
    "background\nred\ngreen\nblue\n", "red\ngreen\nblue\n__background__\n", "???\nred\ngreen\nblue\n",
  ])
  func `a background in the label file does not change the family`(_ text: String) async throws {
    let folder = try TemporaryFolder()
    var options = ObjectDetector.Options()
    options.labelFile = try folder.write("labels.txt", text)
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: Self.model("yolox"), options: options)
    }
    #expect(error?.code.rawValue == "ambiguous-family")
    #expect(error?.message.contains("The label file has 4 lines, one of them the background. ") == true)
    options.family = .yolox
    let detector = try await ObjectDetector(model: Self.model("yolox"), options: options)
    #expect(try await detector.classNames() == ["red", "green", "blue"])
  }

  @Test func `without labels, a layout of several families is an error`() async {
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: Self.model("yolox"))
    }
    #expect(error?.code.rawValue == "ambiguous-family")
    #expect(error?.remedy.description.contains("yolox or yolov8") == true)
  }

  @Test func `labels of another number are an error`() async {
    var options = ObjectDetector.Options()
    options.labelFile = PackageRoot.path + "/Tests/Fixtures/models/blocks.txt"
    options.family = .yolov8
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: Self.model("yolox"), options: options)
    }
    #expect(error?.code.rawValue == "metadata-count-mismatch")
    #expect(
      error?.message.hasSuffix("yolox.tflite' has 4 classes; the last is line 3 'blue'") == true,
      "\(error?.message ?? "")")
  }

  @Test func `a model without its last layer is rejected with the nearest family and the reason`()
    async throws
  {
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: Self.model("feature_maps"))
    }
    #expect(error?.code.rawValue == "unknown-family")
    #expect(
      error?.message.hasSuffix(
        "here the 2 outputs are the feature maps themselves, not joined and not decoded") == true)
    #expect(
      error?.remedy.description
        == "Export the model with its last layer, so that there is one output of decoded boxes")
    let inspection = try ModelInspection(of: Self.model("feature_maps"))
    #expect(inspection.family == nil)
    #expect(inspection.reason.hasPrefix("nearest to yolov5, but the 2 outputs are the feature maps"))
  }

  @Test(arguments: [
    "fomo", "fomo_int8", "mediapipe_face", "mediapipe_face_full", "mediapipe_palm", "mediapipe_pose",
    "movenet", "movenet_multi", "movenet_multi_open", "picodet", "ssd_joined",
    "ssd_priors", "yolov2", "yolox_nms", "yolox_nms_named",
    "yolox_nms_open", "yolov4", "yolov4_tiny", "yolov4_edges", "ssd_edges", "ssd_edges_row", "yolov5_percent",
  ])
  func `the tensors alone determine the family`(_ model: String) throws {
    let names = [
      "mediapipe_face_full": "mediapipe-face", "movenet_multi_open": "movenet-multi", "fomo_int8": "fomo",
      "ssd_joined": "ssd-priors",
      "yolox_nms_named": "yolox-nms", "yolox_nms_open": "yolox-nms", "yolov4_tiny": "yolov4",
      "yolov4_edges": "yolov4", "ssd_edges": "st-ssd", "ssd_edges_row": "st-ssd", "yolov5_percent": "yolov5",
    ]
    let inspection = try ModelInspection(of: Self.model(model))
    #expect(inspection.family == names[model] ?? model.replacing("_", with: "-"))
    #expect(inspection.reason == "a detector by its outputs")
    #expect(
      inspection.needs.map(\.description).contains { $0.hasPrefix("a label file") }
        == !(model.hasPrefix("mediapipe") || model.hasPrefix("movenet")))
    #expect(
      inspection.needs.map(\.description).contains { $0.contains("does not declare its anchors") }
        == (model == "yolov2"))
  }

  @Test func `a model with as many rows as objects is read row by row`() async throws {
    let detector = try await ObjectDetector(model: Self.model("yolox_nms_open"))
    let grey = PixelCanvas(size: PixelSize(width: 64, height: 64))
    for count in [2, 0, 2, 0] {
      let image =
        count == 2 ? try BlockImage.png() : ImageInput.data(try grey.encoded(as: .png), name: "grey.png")
      #expect(try await detector.detect(in: image).count == count)
    }
  }

  @Test func `rows of ST's SSDs are not read like those of others`() async throws {
    var options = ObjectDetector.Options()
    options.family = .priorSSD
    let detector = try await ObjectDetector(model: Self.model("ssd_edges_row"), options: options)
    let error = await #expect(throws: FoveaError.self) { try await detector.detect(in: BlockImage.png()) }
    #expect(error?.code.rawValue == "invalid-output")
    #expect(
      error?.message.hasSuffix("returned anchors as edges without variances, as ST's SSDs do") == true,
      "\(error?.message ?? "")")
    #expect(error?.remedy.description.hasPrefix("Name the family 'st-ssd'") == true)
  }

  @Test func `a DETR that may be an RT-DETR is reported with both readings`() async throws {
    let folder = try TemporaryFolder()
    var options = ObjectDetector.Options()
    options.labelFile = try folder.write("labels.txt", "red\ngreen\nblue\n")
    func notes(_ change: Change) async throws -> [String] {
      var changed = options
      change(&changed)
      let detector = try await ObjectDetector(model: Self.model("rt_detr"), options: changed)
      return try await detector.assumptions().map(\.description)
    }
    let open = try await notes { _ in }
    #expect(open.count == 1)
    #expect(
      open.first?.contains(
        "is read as 'detr'; 'rt-detr' has the same outputs, but another") == true,
      "\(open)")
    #expect(open.first?.contains("name the family (Options.family = DetectorFamily(\"rt-detr\"))") == true)
    // The family, or the normalisation, which is all that differs, is known.
    let changes: [Change] = [
      { $0.family = .detr }, { $0.family = .rtDETR },
      { $0.normalization = Normalization(mean: [0], standardDeviation: [255]) },
    ]
    for change in changes { #expect(try await notes(change).isEmpty) }
  }

  @Test func `the assumed anchors of YOLOv2 are reported as an assumption`() async throws {
    let detector = try await ObjectDetector(model: Self.model("yolov2"))
    let assumptions = try await detector.assumptions().map(\.description)
    #expect(assumptions.count == 1)
    #expect(
      assumptions.first?.hasSuffix(
        "those of 'yolov2' are assumed, which models with 3 classes usually have") == true)
  }

  @Test(arguments: [("fomo", 12.0, 8.0), ("fomo_int8", 8.0, 8.0)])
  func `FOMO's boxes are the cells whose centre is in a block`(
    _ model: String, _ columns: Double, _ rows: Double
  ) async throws {
    let detector = try await ObjectDetector(model: Self.model(model))
    for orientation in [Orientation.up, .right, .downMirrored] {
      let result = try await detector.analyze(try BlockImage.jpeg(orientation))
      #expect(result.objects.count == 2)
      for (index, block) in [(0, BlockImage.red), (2, BlockImage.blue)] {
        let object = try #require(result.objects.first { $0.labels.first?.index == index })
        let box = orientation.uprightBox(fromStored: object.box, stored: result.size)
        let cell = (width: 320 / columns, height: 160 / rows)
        // Half a cell, plus rounding if the edge is in the middle of one.
        let (slackX, slackY) = (cell.width / 2 + 1e-6, cell.height / 2 + 1e-6)
        #expect(abs(box.minX - block.minX) <= slackX && abs(box.maxX - block.maxX) <= slackX, "\(box)")
        #expect(abs(box.minY - block.minY) <= slackY && abs(box.maxY - block.maxY) <= slackY, "\(box)")
        for edge in [
          box.minX / cell.width, box.maxX / cell.width, box.minY / cell.height, box.maxY / cell.height,
        ] {
          #expect(abs(edge - edge.rounded()) < 1e-6)
        }
        #expect(abs(object.score - 0.9) < 0.02)
      }
    }
  }

  struct InputCase: Sendable {
    var model: String
    var letterbox: Letterbox
    var isBGR = false
    var normalization: Normalization?
    var source: NormalizationSource
  }

  @Test(arguments: [
    InputCase(
      model: "mediapipe_face", letterbox: Letterbox(.center, padding: 0),
      normalization: Normalization(mean: [127.5], standardDeviation: [127.5]), source: .family),
    InputCase(
      model: "mediapipe_palm", letterbox: Letterbox(.center, padding: 0),
      normalization: Normalization(mean: [0], standardDeviation: [255]), source: .family),
    InputCase(
      model: "mediapipe_pose", letterbox: Letterbox(.center, padding: 0),
      normalization: Normalization(mean: [127.5], standardDeviation: [127.5]), source: .family),
    InputCase(model: "movenet", letterbox: Letterbox(.center, padding: 0), source: .none),
    InputCase(model: "movenet_multi", letterbox: Letterbox(.center, padding: 0), source: .none),
    InputCase(
      model: "yolox_nms", letterbox: Letterbox(.topLeft), isBGR: true,
      normalization: Normalization(mean: [0], standardDeviation: [1]), source: .graph),
    InputCase(
      model: "yolov5", letterbox: Letterbox(.center),
      normalization: Normalization(mean: [0], standardDeviation: [255]),
      source: .family),
    InputCase(model: "yolov5_uint8", letterbox: Letterbox(.center), source: .none),
    InputCase(
      model: "yolov8_int8", letterbox: Letterbox(.center),
      normalization: Normalization(mean: [0], standardDeviation: [255]), source: .family),
  ])
  func `inspection shows how the image is prepared`(_ test: InputCase) throws {
    let inspection = try ModelInspection(of: Self.model(test.model))
    #expect(inspection.letterbox == test.letterbox)
    #expect(inspection.isBGR == test.isBGR)
    #expect(inspection.normalization == test.normalization)
    #expect(inspection.normalizationSource == test.source)
  }

  @Test func `inspection lists the families that a model may belong to`() throws {
    let inspection = try ModelInspection(of: Self.model("yolox"))
    #expect(inspection.family == nil)
    #expect(
      inspection.reason.contains("can be of several families: yolox with 3 classes, or yolov8 with 4 classes")
    )
    let labelled = try ModelInspection(
      of: Self.model("yolox"), labelFile: PackageRoot.path + "/Tests/Fixtures/models/blocks.txt")
    #expect(labelled.family == "yolox")
    #expect(labelled.isBGR && labelled.letterbox == Letterbox(.topLeft))
  }
}
