// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaEvaluation
import FoveaFormats
import FoveaTesting
import Testing

/// Whether two figures match to 1e-6, or are both missing.
func isSame(_ figure: Double?, _ expected: Double?) -> Bool {
  guard let figure, let expected else { return figure == nil && expected == nil }
  return abs(figure - expected) <= 1e-6
}

@Suite struct PycocotoolsTests {
  static func report(_ number: Int, isClassAgnostic: Bool) throws -> DetectionReport {
    let random = RandomCase(number: UInt64(number))
    let truth = try COCOGroundTruth(
      images: random.images.map { COCOGroundTruth.Image(id: $0) },
      categories: random.categories.map { COCOGroundTruth.Category(id: $0, name: "\($0)") },
      annotations: random.annotations)
    var detections = COCODetections(groundTruth: truth)
    for detection in random.detections { try detections.append(detection) }
    var options = DetectionEvaluator.Options()
    options.isClassAgnostic = isClassAgnostic
    options.unknownIDs = .leaveOut
    return try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
  }

  @Test func `200 random cases match the figures of pycocotools to 1e-6`() throws {
    let figures = try PycocotoolsFigures.read()
    #expect(figures.pycocotools == "2.0.11")
    #expect(figures.cases.count == 200)
    for (number, expected) in figures.cases.enumerated() {
      let random = RandomCase(number: UInt64(number))
      #expect(random.detections.count == expected.detections, "case \(number)")
      #expect(random.annotations.count == expected.annotations, "case \(number)")
      let report = try Self.report(number, isClassAgnostic: false)
      for (metric, value) in zip(report.metrics.named, expected.metrics) {
        #expect(
          isSame(metric.value, value),
          "case \(number), \(metric.name): \(metric.value as Any), \(value as Any)")
      }
      #expect(report.categories.count == expected.categories.count)
      for (category, value) in zip(report.categories, expected.categories) {
        #expect(isSame(category.metrics.averagePrecision, value), "case \(number), category \(category.name)")
      }
      let agnostic = try Self.report(number, isClassAgnostic: true)
      for (metric, value) in zip(agnostic.metrics.named, expected.agnostic) {
        #expect(isSame(metric.value, value), "case \(number), class-agnostic \(metric.name)")
      }
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"), arguments: PycocotoolsFigures.goldens)
  func `the golden detections match the figures of pycocotools to 1e-6`(_ name: String) throws {
    let all = try PycocotoolsFigures.readGoldens()
    #expect(all.pycocotools == "2.0.11")
    let expected = try #require(all.goldens[name])
    let truth = try COCOGroundTruth(path: SharedData.path("coco/instances.json"))
    #expect(truth.images.count == 300)
    #expect(truth.annotations.count == 2628)
    var detections = COCODetections(groundTruth: truth)
    try detections.read(path: SharedData.path("goldens/coco/\(name).detections.json"))
    let report = try DetectionEvaluator(groundTruth: truth).evaluate(detections)
    for (metric, value) in zip(report.metrics.named, expected.metrics) {
      #expect(isSame(metric.value, value), "\(metric.name): \(metric.value as Any), \(value as Any)")
    }
    #expect(report.categories.count == 80)
    for (category, value) in zip(report.categories, expected.categories) {
      #expect(isSame(category.metrics.averagePrecision, value), "\(category.name)")
    }
    var options = DetectionEvaluator.Options()
    options.isClassAgnostic = true
    let agnostic = try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
    #expect(agnostic.categories.map(\.name) == ["all objects"])
    for (metric, value) in zip(agnostic.metrics.named, expected.agnostic) {
      #expect(isSame(metric.value, value), "class-agnostic \(metric.name)")
    }
  }
}
