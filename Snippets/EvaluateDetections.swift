// SPDX-License-Identifier: Apache-2.0
//
// Computes COCO's metrics of detections, from memory or from files.
//
//     swift run EvaluateDetections instances.json detections.json

import FoveaEvaluation
import FoveaFormats
import FoveaGeometry

/// Returns the ground truth and the detections of two files, or one cat with an inexact detection.
func inputs() throws(EvaluationError) -> (COCOGroundTruth, COCODetections) {
  let files = CommandLine.arguments.dropFirst()
  if let truthFile = files.first, let detectionFile = files.dropFirst().first {
    let truth = try COCOGroundTruth(path: truthFile)
    var detections = COCODetections(groundTruth: truth)
    try detections.read(path: detectionFile)
    return (truth, detections)
  }
  let image = COCOGroundTruth.Image(id: 1, fileName: "cat.jpg")
  let cat = COCOGroundTruth.Category(id: 17, name: "cat")
  let object = COCOGroundTruth.Annotation(
    id: 1, imageID: image.id, categoryID: cat.id, box: COCOBox(x: 10, y: 10, width: 200, height: 100),
    // Only compared with the shape `keypoints`, which needs COCO's 17.
    keypoints: [COCOKeypoint(PixelPoint(x: 60, y: 40), isLabelled: true)])
  let truth = try COCOGroundTruth(images: [image], categories: [cat], annotations: [object])
  let found = COCODetection(
    imageID: image.id, categoryID: cat.id, box: COCOBox(x: 14, y: 12, width: 200, height: 100), score: 0.9)
  print("overlap: \(found.box.overlap(with: object.box, isCrowd: object.isCrowd))")
  var detections = COCODetections(groundTruth: truth)
  try detections.append(found)
  return (truth, detections)
}

do throws(EvaluationError) {
  let (truth, detections) = try inputs()
  var options = DetectionEvaluator.Options()
  options.iouThresholds = DetectionEvaluator.cocoThresholds
  // To compare masks, read both files with `readsMasks`; keypoints are always read.
  options.shape = DetectionEvaluator.Shape.boxes
  options.unknownIDs = COCODetections.UnknownIDs.leaveOut
  let report: DetectionReport = try DetectionEvaluator(groundTruth: truth, options: options).evaluate(
    detections)
  let metrics: DetectionMetrics = report.metrics
  print("AP \(metrics.averagePrecision ?? .nan), AP50 \(metrics.averagePrecision50 ?? .nan)")
  for category: DetectionReport.Category in report.categories {
    print("\(category.name): \(category.detections) detections of \(category.groundTruth) objects")
  }
} catch {
  let code: EvaluationCode = error.code
  print("\(code): \(error)")
}
