// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// Evaluates named boxes as COCO does, and separates the losses by boxes from those by names.
struct ObjectJudge {
  /// An image with the probabilities of the classes for each of its boxes.
  struct Answered {
    var image: BoxedImage
    var probabilities: [[Double]]
  }

  let answered: [Answered]
  /// The number of classes, excluding the class for everything else.
  let classCount: Int

  /// Returns all figures.
  func figures() throws(FoveaError) -> ObjectFigures {
    let boxes = answered.lazy.flatMap { $0.image.boxes }
    var figures = ObjectFigures(
      imageCount: answered.count, objectCount: answered.reduce(0) { $0 + $1.image.objects.count },
      boxCount: boxes.count, boxRecall: 0)
    (figures.namedShare, figures.rightLabels) = labels
    figures.bestThreshold = bestThreshold
    guard figures.objectCount > 0 else { return figures }
    do throws(EvaluationError) {
      let truth = try truth()
      figures.boxRecall =
        try evaluated(truth, isClassAgnostic: true) { box, _, _ in (0, box.score) }.averageRecall100 ?? 0
      figures.averagePrecision50 = try evaluated(truth, isClassAgnostic: false, named).averagePrecision50
      figures.averagePrecision50WithRightLabels =
        try evaluated(truth, isClassAgnostic: false, rightlyNamed).averagePrecision50
    } catch {
      throw FoveaError(error)
    }
    return figures
  }

  private typealias Name = (_ box: BoxedImage.Box, _ image: BoxedImage, _ probabilities: [Double]) -> (
    label: Int, score: Double
  )?

  /// Returns the most likely class; nil if the object does not belong to a class.
  func named(
    _ box: BoxedImage.Box, _ image: BoxedImage, _ probabilities: [Double]
  ) -> (label: Int, score: Double)? {
    let best = ObjectJudge.best(probabilities)
    return best < classCount ? (best, box.score * probabilities[best]) : nil
  }

  private func rightlyNamed(
    _ box: BoxedImage.Box, _ image: BoxedImage, _ probabilities: [Double]
  ) -> (label: Int, score: Double)? {
    image.label(of: box).map { ($0, box.score) } ?? named(box, image, probabilities)
  }

  /// The share of matching boxes with a name, and the share of right names among these.
  private var labels: (named: Double?, right: Double?) {
    var (right, named, count) = (0, 0, 0)
    for each in answered {
      for (box, probabilities) in zip(each.image.boxes, each.probabilities) {
        guard let label = each.image.label(of: box) else { continue }
        let best = ObjectJudge.best(probabilities)
        count += 1
        if best < classCount { named += 1 }
        if best == label { right += 1 }
      }
    }
    return (
      count == 0 ? nil : Double(named) / Double(count), named == 0 ? nil : Double(right) / Double(named)
    )
  }

  /// Returns the most likely class, the first if several are equally likely.
  private static func best(_ probabilities: [Double]) -> Int {
    var best = 0
    for index in probabilities.indices where probabilities[index] > probabilities[best] { best = index }
    return best
  }

  // MARK: COCO's evaluation

  private func truth() throws(EvaluationError) -> COCOGroundTruth {
    var annotations: [COCOGroundTruth.Annotation] = []
    func add(_ image: Int, _ label: Int, _ box: COCOBox, isCrowd: Bool) {
      // Numbered again because repeated ids in a file, or 0, would count as never found.
      annotations.append(
        COCOGroundTruth.Annotation(
          id: annotations.count + 1, imageID: image, categoryID: label, box: box, isCrowd: isCrowd))
    }
    for (image, each) in answered.enumerated() {
      for object in each.image.objects { add(image, object.label, COCOBox(object.box), isCrowd: false) }
      for crowd in each.image.image.crowds {
        for label in 0..<classCount { add(image, label, COCOBox(crowd), isCrowd: true) }
      }
    }
    return try COCOGroundTruth(
      images: answered.indices.map { COCOGroundTruth.Image(id: $0) },
      categories: (0..<classCount).map { COCOGroundTruth.Category(id: $0, name: "\($0)") },
      annotations: annotations)
  }

  private func evaluated(
    _ truth: COCOGroundTruth, isClassAgnostic: Bool, _ name: Name
  ) throws(EvaluationError) -> DetectionMetrics {
    var detections = COCODetections(groundTruth: truth)
    for (image, each) in answered.enumerated() {
      for (box, probabilities) in zip(each.image.boxes, each.probabilities) {
        guard let (label, score) = name(box, each.image, probabilities) else { continue }
        try detections.append(
          COCODetection(imageID: image, categoryID: label, box: COCOBox(box.box), score: score))
      }
    }
    var options = DetectionEvaluator.Options()
    options.iouThresholds = [BoxedImage.leastIoU]
    options.isClassAgnostic = isClassAgnostic
    return try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections).metrics
  }
}
