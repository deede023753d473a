// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaEvaluation
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct MaskParityTests {
  /// The figures of pycocotools; see the README of the goldens.
  struct Expected: Decodable {
    struct Masks: Decodable {
      var images: [Int]
      var stats: [Double]
    }
    var masks: Masks
    enum CodingKeys: String, CodingKey { case masks = "segm_60" }
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `the figures of masks are those of pycocotools to 1e-6`() throws {
    let bytes = try SharedData.bytes("goldens/tasks/coco_expected.json")
    let expected = try JSONDecoder().decode(Expected.self, from: Data(bytes)).masks
    let whole = try COCOGroundTruth(
      path: SharedData.path("goldens/tasks/coco_instances_masks_200.json"), readsMasks: true)
    #expect(whole.annotations.allSatisfy { $0.mask != nil })
    let images = Set(expected.images)
    let truth = try COCOGroundTruth(
      images: whole.images.filter { images.contains($0.id) }, categories: whole.categories,
      annotations: whole.annotations.filter { images.contains($0.imageID) })
    var detections = COCODetections(groundTruth: truth)
    detections.readsMasks = true
    try detections.read(path: SharedData.path("goldens/tasks/results_segm_60.json"))
    var options = DetectionEvaluator.Options()
    options.shape = .masks
    let report = try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
    #expect(report.images == 60)
    #expect(expected.stats.count == 12)
    for (metric, value) in zip(report.metrics.named, expected.stats) {
      #expect(isSame(metric.value, value), "\(metric.name): \(metric.value as Any), \(value)")
    }
  }

  static func instances(_ segmentation: String, isCrowd: Bool = false) -> [UInt8] {
    Array(
      """
      {"images": [{"id": 1, "width": 4, "height": 3}], "categories": [{"id": 1, "name": "cat"}],
      "annotations": [{"id": 7, "image_id": 1, "category_id": 1, "bbox": [0, 0, 4, 3], "area": 12,
      "iscrowd": \(isCrowd ? 1 : 0), "segmentation": \(segmentation)}]}
      """.utf8)
  }

  @Test(arguments: [
    #"{"size": [3, 4], "counts": [0, 12]}"#, #"{"counts": "0<", "size": [3, 4]}"#,
    "[[0, 0, 0, 3, 4, 3, 4, 0]]", "[[0, 0, 0, 3, 2, 3, 2, 0], [2, 0, 2, 3, 4, 3, 4, 0]]",
  ])
  func `polygons and both forms of run lengths are read`(_ segmentation: String) throws {
    for isCrowd in [false, true] {
      let truth = try COCOGroundTruth(json: Self.instances(segmentation, isCrowd: isCrowd), readsMasks: true)
      #expect(truth.annotations[0].mask?.counts == [0, 12])
      #expect(truth.annotations[0].isCrowd == isCrowd)
    }
    #expect(try COCOGroundTruth(json: Self.instances(segmentation)).annotations[0].mask == nil)
  }

  static let refused: [(String, String)] = [
    (#"{"size": [4, 3], "counts": [0, 12]}"#, "'size' is [4, 3]; the image has [3, 4]"),
    (#"{"size": [3, 4], "counts": [0, 11]}"#, "The runs have 11 pixels together; an image of 4 × 3 has 12"),
    (#"{"size": [3, 4]}"#, "'counts' is missing"),
    (#"{"size": [3, 4], "counts": 12}"#, "'counts' is neither a string nor an array of numbers"),
    (#"{"size": "3x4", "counts": [0, 12]}"#, "'size' is not an array of numbers"),
    (#"{"counts": [0, 12]}"#, "'size' is not two whole numbers, height and width"),
    (#"{"size": [3, 4], "counts": "0"}"#, "The runs have 0 pixels together; an image of 4 × 3 has 12"),
    (
      #"{"size": [3, 4], "counts": [-1, 13]}"#, "number 1 of 'counts' is -1; expected 0 to 4,294,967,295"
    ),
    (
      #"{"size": [1e9, 1e9], "counts": [0]}"#, "'size' is [1000000000, 1000000000]; the image has [3, 4]"
    ),
    (
      #"{"size": [3, 4], "counts": "0~"}"#,
      "The string of run lengths is damaged: character 2 is not part of a number of run lengths"
    ),
    ("[[0, 0, 3, 3]]", "Polygon 1 has 2 points; at least three are needed"),
    ("[[0, 0, 0, 3, 4, 3], []]", "Polygon 2 has 0 points; at least three are needed"),
    ("[[0, 0, 3, 3, 1]]", "Polygon 1 has 5 numbers; pairs are needed"),
    ("[0, 0, 3, 3, 1, 2]", "Element 1 is not a polygon, which is an array of numbers"),
    ("[[0, 0, 3, 3, 1, null]]", "Polygon 1 has a value that is not a number"),
    ("[[0, 0, 3, 3, 1, \"2\"]]", "Polygon 1 has a value that is not a number"),
    ("[[0, 0, 3, NaN, 1, 2]]", "Polygon 1 has NaN, which is not a finite number"),
    ("[[0, 0, 3, 3, -Infinity, 2]]", "Polygon 1 has -Infinity, which is not a finite number"),
    (#"{"size": [3, 4], "counts": [Infinity]}"#, "'counts' has Infinity, which is not a finite number"),
    (
      "[[0, 0, 1e6, 3, 1, 2]]",
      "Polygon 1 has the point (1000000, 3), which is not near an image of 4 × 3"
    ),
    (#""0<""#, "an array of polygons, or an object with 'size' and 'counts', is needed"),
  ]

  @Test(arguments: refused)
  func `a damaged segmentation is an error with its annotation and line`(
    _ segmentation: String, _ problem: String
  ) {
    let error = #expect(throws: EvaluationError.self) {
      try COCOGroundTruth(json: Self.instances(segmentation, isCrowd: true), readsMasks: true)
    }
    #expect(error?.code == .invalidGroundTruth)
    let start = "The ground truth, annotation 1 (id 7), before line 3, column "
    #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasSuffix(": segmentation: " + problem) == true, "\(error?.message ?? "")")
    let found = #expect(throws: EvaluationError.self) {
      var detections = COCODetections(
        groundTruth: try COCOGroundTruth(json: Self.instances("[[0, 0, 0, 3, 4, 3]]"), readsMasks: true))
      detections.readsMasks = true
      try detections.read(
        json: Array(
          #"[{"image_id": 1, "category_id": 1, "score": 1,\#n"segmentation": \#(segmentation)}]"#.utf8))
    }
    #expect(found?.code == .invalidDetections)
    #expect(
      found?.message.hasPrefix("The text of the detections, detection 1, before line 2, column ") == true)
    #expect(found?.message.hasSuffix(": segmentation: " + problem) == true, "\(found?.message ?? "")")
    #expect(found.map { "\($0.remedy)" } == "Correct the segmentation, or the tool that wrote it")
  }

  /// Instances whose images follow the annotations.
  static func imagesLast(_ segmentation: String) -> [UInt8] {
    Array(
      """
      {"annotations": [
      {"id": 7, "image_id": 1, "category_id": 1, "bbox": [0, 0, 4, 3], "segmentation": \(segmentation)},
      {"id": 8, "image_id": 2, "category_id": 1, "bbox": [0, 0, 4, 3], "segmentation": [[0, 0, 0, 3, 4, 3]]}],
      "categories": [{"id": 1}], "images": [{"id": 1, "width": 4, "height": 3}]}
      """.utf8)
  }

  @Test func `images may follow their annotations`() throws {
    let truth = try COCOGroundTruth(json: Self.imagesLast("[[0, 0, 0, 3, 4, 3, 4, 0]]"), readsMasks: true)
    #expect(truth.annotations[0].mask?.counts == [0, 12])
    // Its image is not listed.
    #expect(truth.annotations[1].mask == nil)
    var options = DetectionEvaluator.Options()
    options.shape = .masks
    let evaluator = try DetectionEvaluator(groundTruth: truth, options: options)
    #expect(try evaluator.evaluate(COCODetections(groundTruth: truth)).metrics.averagePrecision == 0)
    for (segmentation, place, problem) in [
      ("[[0, 0, 3, 3]]", "column 97, byte 114", "Polygon 1 has 2 points; at least three are needed"),
      (#"{"size": [3, 4]}"#, "column 99, byte 116", "'counts' is missing"),
      (
        #"{"size": [4, 3], "counts": [12]}"#, "column 115, byte 132",
        "'size' is [4, 3]; the image has [3, 4]"
      ),
      (
        "[[0, 0, 0, 3, 1e6, 3]]", "column 105, byte 122",
        "Polygon 1 has the point (1000000, 3), which is not near an image of 4 × 3"
      ),
    ] {
      let error = #expect(throws: EvaluationError.self) {
        try COCOGroundTruth(json: Self.imagesLast(segmentation), readsMasks: true)
      }
      #expect(
        error?.message
          == "The ground truth, annotation 1 (id 7), before line 2, \(place): segmentation: \(problem)")
    }
  }

  /// Instances of an image without a size, before or after two annotations, of which the second is given.
  static func unsized(_ segmentation: String, isLast: Bool) -> [UInt8] {
    let images = #""images": [{"id": 1}], "categories": [{"id": 1}]"#
    let annotations = """
      "annotations": [
      {"id": 7, "image_id": 1, "category_id": 1, "bbox": [0, 0, 4, 3], "segmentation": \
      {"size": [3, 4], "counts": [0, 12]}},
      {"id": 8, "image_id": 1, "category_id": 1, "bbox": [0, 0, 4, 3]\(segmentation)}]
      """
    return Array("{\(isLast ? annotations : images),\n\(isLast ? images : annotations)}".utf8)
  }

  static let unsettled: [(String, String)] = [
    ("", "it is missing or empty"), (#", "segmentation": []"#, "it is missing or empty"),
    (#", "segmentation": null"#, "it is missing or empty"),
    (
      #", "segmentation": {"size": [6, 8], "counts": [0, 48]}"#,
      "'size' is [6, 8]; other masks of the image have [3, 4]"
    ),
  ]

  @Test(arguments: unsettled, [false, true])
  func `a mask that is missing or does not fit the others is an error with file and line`(
    _ row: (segmentation: String, problem: String), _ isLast: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("truth.json", Self.unsized(row.segmentation, isLast: isLast))
    let truth = try COCOGroundTruth(path: path, readsMasks: true)
    var options = DetectionEvaluator.Options()
    options.shape = .masks
    let error = #expect(throws: EvaluationError.self) {
      try DetectionEvaluator(groundTruth: truth, options: options).evaluate(
        COCODetections(groundTruth: truth))
    }
    #expect(error?.code == .invalidGroundTruth)
    let start = "'\(path)', annotation 2 (id 8), before line \(isLast ? 3 : 4), column "
    #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasSuffix(": segmentation: \(row.problem)") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [false, true])
  func `masks of detections of another size than those of the ground truth are errors with file and line`(
    _ isDataset: Bool
  ) throws {
    let large = #"{"size": [3, 4], "counts": [0, 12]}"#
    let truth = try COCOGroundTruth(
      json: Array(
        String(decoding: Self.unsized(#", "segmentation": \#(large)"#, isLast: true), as: UTF8.self)
          .replacing(#"{"id": 1}], "cat"#, with: #"{"id": 1, "file_name": "a.jpg"}], "cat"#).utf8),
      readsMasks: true)
    let result = #""bbox": [0, 0, 4, 3], "score": 1, "segmentation": {"size": [6, 8], "counts": [0, 48]}"#
    let text =
      isDataset
      ? """
      {"images": [{"id": 5, "file_name": "a.jpg"}], "categories": [{"id": 9, "name": "1"}],
      "annotations": [{"id": 3, "image_id": 5, "category_id": 9, \(result)}]}
      """
      : """
      [
      {"image_id": 1, "category_id": 1, \(result)}]
      """
    let folder = try TemporaryFolder()
    let path = try folder.write("found.json", text)
    var detections = COCODetections(groundTruth: truth)
    detections.readsMasks = true
    let error = #expect(throws: EvaluationError.self) { try detections.read(path: path) }
    #expect(error?.code == .invalidDetections)
    let start =
      isDataset
      ? "'\(path)', annotation 1 (id 3), before line 2, column "
      : "'\(path)', detection 1, before line 2, column "
    #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("segmentation: 'size' is [6, 8]; the") == true)
  }

  @Test func `masks of another size are an error`() throws {
    let truth = try COCOGroundTruth(json: Self.instances("[[0, 0, 0, 3, 4, 3, 4, 0]]"), readsMasks: true)
    var options = DetectionEvaluator.Options()
    options.shape = .masks
    var detections = COCODetections(groundTruth: truth)
    let (box, large) = (COCOBox(x: 0, y: 0, width: 4, height: 3), PixelSize(width: 8, height: 6))
    let mask = try RunLengths(counts: [0, 48], size: large)
    try detections.append(COCODetection(imageID: 1, categoryID: 1, box: box, score: 1, mask: mask))
    let error = #expect(throws: EvaluationError.self) {
      try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
    }
    #expect(error?.code == .invalidDetections)
    #expect(
      error?.message == "A detection on the image id 1 has a mask of an image of 8 × 6 pixels; "
        + "the ground truth's image has 4 × 3")
    let mixed = try COCOGroundTruth(
      images: truth.images, categories: truth.categories,
      annotations: truth.annotations + [.init(id: 8, imageID: 1, categoryID: 1, box: box, mask: mask)])
    let other = #expect(throws: EvaluationError.self) {
      try DetectionEvaluator(groundTruth: mixed, options: options).evaluate(
        COCODetections(groundTruth: mixed))
    }
    #expect(other?.code == .invalidGroundTruth)
    #expect(
      other?.message == "Annotation id 8 of the ground truth has a mask of an image of 8 × 6 pixels; "
        + "its image has 4 × 3")
  }

  @Test func `masks of a complete COCO file are read, also if images of other folders are left out`() throws {
    let instances = String(decoding: Self.instances("[[0, 0, 0, 3, 4, 3, 4, 0]]"), as: UTF8.self)
      .replacing(#""width": 4"#, with: #""file_name": "/data/b/a.jpg", "width": 4"#)
    let truth = try COCOGroundTruth(json: Array(instances.utf8), readsMasks: true)
    var detections = COCODetections(groundTruth: truth)
    detections.readsMasks = true
    // The first detection is left out, so that the mask of the second one moves to its row. Boxes are wrong.
    try detections.read(
      json: Array(
        """
        {"images": [{"id": 5, "file_name": "c/a.jpg", "width": 4, "height": 3},
        {"id": 6, "file_name": "b/a.jpg", "width": 4, "height": 3}], "categories": [{"id": 9, "name": "cat"}],
        "annotations": [
        {"id": 1, "image_id": 5, "category_id": 9, "bbox": [0, 0, 1, 1], "score": 1,
        "segmentation": {"size": [3, 4], "counts": [12]}},
        {"id": 2, "image_id": 6, "category_id": 9, "bbox": [0, 0, 1, 1], "score": 1,
        "segmentation": {"size": [3, 4], "counts": [0, 12]}}]}
        """.utf8))
    #expect(detections.count == 1)
    #expect(detections.unknownImages == 1)
    var options = DetectionEvaluator.Options()
    options.shape = .masks
    options.unknownIDs = .leaveOut
    let report = try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
    #expect(report.metrics.averagePrecision.map { abs($0 - 1) < 1e-12 } == true)
  }

  @Test func `an object without a mask cannot be compared by masks`() throws {
    let truth = try COCOGroundTruth(json: Self.instances("[]"), readsMasks: true)
    var options = DetectionEvaluator.Options()
    options.shape = .masks
    let evaluator = try DetectionEvaluator(groundTruth: truth, options: options)
    let error = #expect(throws: EvaluationError.self) {
      try evaluator.evaluate(COCODetections(groundTruth: truth))
    }
    #expect(
      error?.message
        == "The ground truth, annotation 1 (id 7), before line 3, column 34, byte 217: segmentation: "
        + "it is missing or empty")
    #expect(
      error?.remedy.description
        == "Name a ground truth whose annotations have a segmentation, or compare boxes with "
        + "Options.shape = .boxes")
    let bare = try COCOGroundTruth(
      images: truth.images, categories: truth.categories, annotations: truth.annotations)
    let other = #expect(throws: EvaluationError.self) {
      try DetectionEvaluator(groundTruth: bare, options: options).evaluate(
        COCODetections(groundTruth: bare))
    }
    #expect(other?.message == "Annotation id 7 of the ground truth has no mask")
  }

  @Test func `a result without a box has the box of its mask, and one without a mask is its box`() throws {
    let truth = try COCOGroundTruth(json: Self.instances("[[0, 0, 0, 3, 4, 3, 4, 0]]"), readsMasks: true)
    for shape in [DetectionEvaluator.Shape.boxes, .masks] {
      for result in [#""segmentation": {"size": [3, 4], "counts": "0<"}"#, #""bbox": [0, 0, 4, 3]"#] {
        var detections = COCODetections(groundTruth: truth)
        detections.readsMasks = shape == .masks
        try detections.read(
          json: Array(#"[{"image_id": 1, "category_id": 1, "score": 0.5, \#(result)}]"#.utf8))
        var options = DetectionEvaluator.Options()
        options.shape = shape
        let report = try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
        #expect(report.metrics.averagePrecision.map { abs($0 - 1) < 1e-12 } == true, "\(shape), \(result)")
      }
    }
  }
}
