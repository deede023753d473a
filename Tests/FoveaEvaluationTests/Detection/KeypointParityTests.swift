// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaEvaluation
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct KeypointParityTests {
  /// The figures of pycocotools; see the README of the goldens.
  struct Expected: Decodable {
    struct Keypoints: Decodable { var stats: [Double] }
    var keypoints: Keypoints
    enum CodingKeys: String, CodingKey { case keypoints = "keypoints_300" }
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `the figures of keypoints are those of pycocotools to 1e-6`() throws {
    let bytes = try SharedData.bytes("goldens/tasks/coco_expected.json")
    let expected = try JSONDecoder().decode(Expected.self, from: Data(bytes)).keypoints.stats
    let truth = try COCOGroundTruth(path: SharedData.path("goldens/tasks/coco_person_keypoints_300.json"))
    var detections = COCODetections(groundTruth: truth)
    try detections.read(path: SharedData.path("goldens/tasks/results_keypoints_300.json"))
    let report = try Self.report(truth, detections)
    #expect(expected.count == 10 && report.metrics.named.count == 10)
    for (metric, value) in zip(report.metrics.named, expected) {
      #expect(isSame(metric.value, value), "\(metric.name): \(metric.value as Any), \(value)")
    }
  }

  /// A result of keypoints, as in the golden file.
  struct Found: Decodable {
    var image_id: Int
    var score: Double
    var keypoints: [Double]
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `lines of YOLO have the figures of COCO's results`() throws {
    let truth = try COCOGroundTruth(path: SharedData.path("goldens/tasks/coco_person_keypoints_300.json"))
    let bytes = try SharedData.bytes("goldens/tasks/results_keypoints_300.json")
    let shape = try #require(YOLOLines.KeypointShape(count: 17))
    var (expected, read) = (COCODetections(groundTruth: truth), COCODetections(groundTruth: truth))
    let sizes = Dictionary(uniqueKeysWithValues: truth.images.map { ($0.id, $0.size) })
    for found in try JSONDecoder().decode([Found].self, from: Data(bytes)) {
      let size = try #require(sizes[found.image_id] ?? nil)
      let points = stride(from: 0, to: found.keypoints.count, by: 3).map {
        PixelPoint(x: found.keypoints[$0], y: found.keypoints[$0 + 1])
      }
      let (xs, ys) = (points.map(\.x), points.map(\.y))
      let box = try BoundingBox(
        minX: #require(xs.min()), minY: #require(ys.min()), maxX: #require(xs.max()),
        maxY: #require(ys.max())
      ).clamped(to: size)
      let line = YOLOLines.line(
        class: 0, box: box, keypoints: points,
        keypointScores: stride(from: 2, to: found.keypoints.count, by: 3).map { Float(found.keypoints[$0]) },
        size: size, score: Float(found.score))
      let objects = try YOLOLines.read(
        text: Array(line.utf8), name: "a.txt", keypoints: shape, size: size, classes: [])
      let object = try #require(objects.first)
      #expect(objects.count == 1 && object.keypointScores.count == 17)
      for (box, score, keypoints, isRead) in [
        (box, found.score, points, false), (object.box, Double(object.score), object.keypoints, true),
      ] {
        let detection = COCODetection(
          imageID: found.image_id, categoryID: 1,
          box: COCOBox(x: box.minX, y: box.minY, width: box.width, height: box.height), score: score,
          keypoints: keypoints)
        if isRead { try read.append(detection) } else { try expected.append(detection) }
      }
    }
    let figures = try Self.report(truth, expected).metrics.named
    // Six digits move a point by 0.0003 pixels, which changes no match here.
    for (metric, other) in zip(try Self.report(truth, read).metrics.named, figures) {
      #expect(
        isSame(metric.value, other.value), "\(metric.name): \(metric.value as Any), \(other.value as Any)")
    }
    #expect(figures.count == 10)
  }

  static func report(
    _ truth: COCOGroundTruth, _ detections: COCODetections
  ) throws(EvaluationError) -> DetectionReport {
    var options = DetectionEvaluator.Options()
    options.shape = .keypoints
    return try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
  }

  /// A ground truth of one object of 100 × 100 pixels with points at its middle.
  static func truth(
    _ counts: [Int] = [17], labelled: Int = 17, isCrowd: Bool = false
  ) throws(EvaluationError) -> COCOGroundTruth {
    try COCOGroundTruth(
      images: [.init(id: 1)], categories: [.init(id: 1, name: "person")],
      annotations: counts.enumerated().map { index, count in
        COCOGroundTruth.Annotation(
          id: index + 1, imageID: 1, categoryID: 1, box: COCOBox(x: 0, y: 0, width: 100, height: 100),
          isCrowd: isCrowd,
          keypoints: (0..<count).map {
            COCOKeypoint(PixelPoint(x: 50, y: 50), isLabelled: $0 < labelled)
          })
      })
  }

  static func detections(
    on truth: COCOGroundTruth, at distance: Double, points: Int = 17
  ) throws -> COCODetections {
    var found = COCODetections(groundTruth: truth)
    try found.append(
      COCODetection(
        imageID: 1, categoryID: 1, box: COCOBox(x: 0, y: 0, width: 100, height: 100), score: 0.9,
        keypoints: (0..<points).map { _ in PixelPoint(x: 50 + distance, y: 50) }))
    return found
  }

  @Test(
    arguments: [
      (0, 17, 1), (5, 17, 0.8), (40, 17, 0), (0, 0, 0), (.nan, 17, 0), (.infinity, 17, 0), (1e300, 17, 0),
    ] as [(Double, Int, Double)])
  func `distance lowers the similarity, and without points there is none`(
    _ distance: Double, _ points: Int, _ precision: Double
  ) throws {
    let truth = try Self.truth()
    let report = try Self.report(truth, Self.detections(on: truth, at: distance, points: points))
    // At 5 pixels the similarity is 0.871, which 8 of the 10 thresholds accept.
    #expect(isSame(report.metrics.averagePrecision, precision), "\(report.metrics)")
    #expect(report.metrics.averageRecall50 == (precision > 0 ? 1 : 0))
  }

  @Test(
    arguments: [
      ([16], "1 detection has 16 keypoints"), ([33], "1 detection has 33 keypoints"),
      ([17, 33, 0, 33], "2 detections have 33 keypoints"),
      ([5, 33, 17, 1], "3 detections have 1, 5, 33 keypoints"),
    ] as [([Int], String)])
  func `detections with another number of keypoints are refused`(_ counts: [Int], _ what: String) throws {
    let truth = try Self.truth()
    var found = COCODetections(groundTruth: truth)
    for count in counts {
      try found.append(
        COCODetection(
          imageID: 1, categoryID: 1, box: COCOBox(x: 0, y: 0, width: 100, height: 100), score: 0.9,
          keypoints: [PixelPoint](repeating: PixelPoint(x: 50, y: 50), count: count)))
    }
    let error = #expect(throws: EvaluationError.self) { try Self.report(truth, found) }
    #expect(error?.code == .invalidDetections)
    #expect(error?.message == "\(what), and the ground truth's objects have 17")
    // Boxes are compared whatever the keypoints are.
    let report = try DetectionEvaluator(groundTruth: truth).evaluate(found)
    #expect(isSame(report.metrics.averagePrecision, 1))
  }

  @Test func `only labelled points are compared`() throws {
    let truth = try Self.truth(labelled: 1)
    var found = COCODetections(groundTruth: truth)
    let far = (0..<17).map { PixelPoint(x: $0 == 0 ? 50 : 5_000, y: 50) }
    try found.append(
      COCODetection(
        imageID: 1, categoryID: 1, box: COCOBox(x: 0, y: 0, width: 100, height: 100), score: 1,
        keypoints: far))
    #expect(isSame(try Self.report(truth, found).metrics.averagePrecision, 1))
  }

  @Test(arguments: [false, true])
  func `objects without a labelled point, and crowds, do not count`(_ isCrowd: Bool) throws {
    let truth = try Self.truth(labelled: isCrowd ? 17 : 0, isCrowd: isCrowd)
    let report = try Self.report(truth, Self.detections(on: truth, at: 0))
    #expect(report.metrics.averagePrecision == nil && report.groundTruth == 0)
  }

  @Test(
    arguments: [
      ([], "has no keypoints"), ([0], "has no keypoints"),
      ([17, 16], "annotation 2 (id 2): it has 16 keypoints, others have 17"),
      ([21], "has objects of 21 keypoints; the spread of their positions is known only for COCO's 17"),
    ] as [([Int], String)])
  func `a ground truth without COCO's keypoints is refused`(_ counts: [Int], _ text: String) throws {
    let truth = try Self.truth(counts)
    let error = #expect(throws: EvaluationError.self) {
      try Self.report(truth, COCODetections(groundTruth: truth))
    }
    #expect(error?.code == .invalidGroundTruth && error?.message.hasSuffix(text) == true, "\(error as Any)")
  }

  @Test func `the best twenty detections of an image count`() throws {
    let truth = try Self.truth()
    var found = COCODetections(groundTruth: truth)
    for rank in 0..<21 {
      try found.append(
        COCODetection(
          imageID: 1, categoryID: 1, box: COCOBox(x: 0, y: 0, width: 100, height: 100),
          score: Double(100 - rank),
          keypoints: (0..<17).map { _ in PixelPoint(x: rank == 20 ? 50 : 900, y: 50) }))
    }
    #expect(try Self.report(truth, found).metrics.averageRecall100 == 0)
  }

  @Test(arguments: [
    (#"[1, 2]"#, "keypoints has 2 numbers; it must have three for each point"),
    (#"[1, 2, "a"]"#, "a number of keypoints is not a number"),
    (#"{}"#, "keypoints is not an array of numbers"),
  ])
  func `keypoints that are no triples are refused with their place`(_ keypoints: String, _ text: String) {
    let json = """
      {"images": [{"id": 1}], "categories": [{"id": 1, "name": "person"}], "annotations": [
      {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "keypoints": \(keypoints)}]}
      """
    let error = #expect(throws: EvaluationError.self) { try COCOGroundTruth(json: Array(json.utf8)) }
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }

  @Test func `results of keypoints need no box`() throws {
    let truth = try Self.truth()
    var found = COCODetections(groundTruth: truth)
    let points = (0..<17).map { _ in "50, 50, 0.9" }.joined(separator: ", ")
    try found.read(
      json: Array(
        #"[{"image_id": 1, "category_id": 1, "score": 0.5, "keypoints": [\#(points)]}]"#.utf8))
    #expect(isSame(try Self.report(truth, found).metrics.averagePrecision, 1))
  }
}
