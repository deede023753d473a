// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaGeometry
import Testing

@Suite struct DetectionEvaluatorTests {
  static let box = COCOBox(x: 0, y: 0, width: 100, height: 100)

  static func truth(_ annotations: [COCOGroundTruth.Annotation]) throws -> COCOGroundTruth {
    try COCOGroundTruth(
      images: [.init(id: 1), .init(id: 2)], categories: [.init(id: 1, name: "cat")], annotations: annotations)
  }

  static func report(
    _ annotations: [COCOGroundTruth.Annotation], _ found: [COCODetection],
    options: DetectionEvaluator.Options = .init()
  ) throws -> DetectionReport {
    let truth = try truth(annotations)
    var detections = COCODetections(groundTruth: truth)
    for detection in found { try detections.append(detection) }
    return try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
  }

  static func object(_ id: Int, image: Int = 1, isCrowd: Bool = false) -> COCOGroundTruth.Annotation {
    .init(id: id, imageID: image, categoryID: 1, box: box, isCrowd: isCrowd)
  }

  static func found(_ box: COCOBox = box, image: Int = 1, score: Double = 0.5) -> COCODetection {
    COCODetection(imageID: image, categoryID: 1, box: box, score: score)
  }

  @Test func `without annotations there are no figures`() throws {
    let report = try Self.report([], [Self.found()])
    #expect(report.metrics.named.allSatisfy { $0.value == nil })
    try #require(!report.categories.isEmpty)
    #expect(report.categories[0].detections == 1)
  }

  @Test func `without detections the figures are 0`() throws {
    let report = try Self.report([Self.object(1)], [])
    #expect(report.metrics.averagePrecision == 0)
    #expect(report.metrics.averageRecall100 == 0)
    #expect(report.metrics.averagePrecisionSmall == nil)
  }

  @Test func `perfect detections have the figure 1`() throws {
    let report = try Self.report(
      [Self.object(1), Self.object(2, image: 2)], [Self.found(), Self.found(image: 2)])
    #expect(report.metrics.averagePrecision.map { abs($0 - 1) < 1e-12 } == true)
    #expect(report.metrics.averageRecall1 == 1)
  }

  @Test func `an annotation with the id 0 is never found, as in pycocotools`() throws {
    #expect(try Self.report([Self.object(0)], [Self.found()]).metrics.averagePrecision == 0)
  }

  @Test func `a crowd is neither found nor missed`() throws {
    let report = try Self.report(
      [Self.object(1), Self.object(2, image: 2, isCrowd: true)],
      [Self.found(), Self.found(COCOBox(x: 1, y: 1, width: 10, height: 10), image: 2, score: 0.9)])
    #expect(report.metrics.averagePrecision.map { abs($0 - 1) < 1e-12 } == true)
    #expect(report.groundTruth == 1)
    #expect(report.crowds == 1)
  }

  @Test func `AP50 exists if 0.5 is requested`() throws {
    var options = DetectionEvaluator.Options()
    options.iouThresholds = [0.3, 0.5]
    // Half of the object: an overlap of exactly 0.5.
    let half = Self.found(COCOBox(x: 0, y: 0, width: 50, height: 100))
    let report = try Self.report([Self.object(1)], [half], options: options)
    #expect(report.metrics.averagePrecision50.map { abs($0 - 1) < 1e-12 } == true)
    #expect(report.metrics.averagePrecision75 == nil)
    options.iouThresholds = [0.51]
    #expect(try Self.report([Self.object(1)], [half], options: options).metrics.averagePrecision == 0)
  }

  @Test(arguments: [
    [], [0], [-0.5], [1.01], [.nan], [0.5, 0.5], [0.9, 0.5], (1...33).map { Double($0) / 40 },
  ])
  func `thresholds out of their range are refused`(_ thresholds: [Double]) throws {
    var options = DetectionEvaluator.Options()
    options.iouThresholds = thresholds
    let truth = try Self.truth([])
    let error = #expect(throws: EvaluationError.self) {
      try DetectionEvaluator(groundTruth: truth, options: options)
    }
    #expect(error?.code == .optionInvalid)
  }

  @Test(arguments: [
    Self.found(COCOBox(x: 0, y: 0, width: -1, height: 1)),
    Self.found(COCOBox(x: 0, y: 0, width: 1, height: -1)),
    Self.found(COCOBox(x: .nan, y: 0, width: 1, height: 1)),
    Self.found(COCOBox(x: 0, y: 0, width: 1e200, height: 1e200)), Self.found(score: .nan),
    Self.found(score: .infinity),
  ])
  func `an impossible detection is rejected`(_ detection: COCODetection) throws {
    var detections = COCODetections(groundTruth: try Self.truth([]))
    let error = #expect(throws: EvaluationError.self) { try detections.append(detection) }
    #expect(error?.code == .invalidDetections)
    #expect(detections.count == 0)
  }

  @Test func `a box has left, top, right and bottom edges`() {
    #expect(
      COCOBox(BoundingBox(minX: 1, minY: 2, maxX: 4, maxY: 6)) == COCOBox(x: 1, y: 2, width: 3, height: 4))
  }

  @Test func `32 thresholds fit`() throws {
    var options = DetectionEvaluator.Options()
    options.iouThresholds = (1...32).map { Double($0) / 32 }
    let report = try Self.report([Self.object(1)], [Self.found()], options: options)
    #expect(report.metrics.averagePrecision.map { abs($0 - 1) < 1e-12 } == true)
  }
}
