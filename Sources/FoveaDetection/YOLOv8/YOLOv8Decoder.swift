// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// YOLOv8 and its kin (v9, 11, 12): [1, 4 + C, N], a column for each cell, or a row for each: [1, N, 4 + C].
///
/// The distribution over distances is resolved already, and there is no objectness. Boxes are (centre x, centre y, width,
/// height), in fractions as Ultralytics' TFLite export writes them, or in pixels as conversions by way of ONNX do; the
/// values show which.
///
/// **Source:** Ultralytics, `nn/modules/head.py`, `Detect._inference`; IoU 0.7 of `cfg/default.yaml`.
struct YOLOv8Decoder: DetectionDecoder {
  let family = DetectorFamily.yolov8
  let hasClasses = true
  var classCount: Int? { head.layout.classCount }
  var maximumDetections: Int { head.maximumDetections }
  let head: YOLOHead

  static let defaultIoU = 0.7

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let values = try head.values(outputs)
    let best = YOLOv8Scores(values, layout: head.layout)
    try check(best.scores)
    // Number k of answer i is at i · step + k · jump.
    let step = head.layout.isTransposed ? 1 : head.layout.columns
    let jump = head.layout.isTransposed ? head.layout.rows : 1
    let inPixels = head.usesPixels { max(values[$0 * step], values[$0 * step + jump]) }
    var candidates = DetectionCandidates()
    for row in 0..<head.layout.rows where best.scores[row] >= threshold && best.scores[row] > -.infinity {
      let start = row * step
      candidates.append(
        BoundingBox(
          centerX: values[start], centerY: values[start + jump], width: values[start + 2 * jump],
          height: values[start + 3 * jump]), score: min(best.scores[row], 1),
        classIndex: best.classIndex(of: row))
    }
    return head.detections(
      candidates, inPixels: inPixels, threshold: threshold, defaultIoU: Self.defaultIoU, limit: limit)
  }

  private func check(_ scores: [Float]) throws(DetectionError) {
    var highest = -Float.infinity
    var lowest = Float.infinity
    for score in scores {
      highest = score > highest ? score : highest
      lowest = score > -.infinity && score < lowest ? score : lowest
    }
    guard highest > -.infinity else { throw head.noNumbers() }
    try head.check(score: highest, "a class's score")
    try head.check(score: lowest, "a class's score")
  }
}
