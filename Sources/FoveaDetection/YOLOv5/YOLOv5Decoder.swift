// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// YOLOv5 (and v7, v4 in its layout): [1, 3 N, 5 + C], three rows for each cell, decoded, with the sigmoid done.
///
/// Boxes are (centre x, centre y, width, height), in fractions as Ultralytics' own TFLite export writes them, or in pixels
/// as conversions by way of ONNX do; the values show which.
///
/// **Source:** Ultralytics YOLOv5, `models/tf.py`, `TFDetect`; IoU 0.45 of `detect.py`.
struct YOLOv5Decoder: DetectionDecoder {
  let family = DetectorFamily.yolov5
  let hasClasses = true
  var classCount: Int? { head.layout.classCount }
  var maximumDetections: Int { head.maximumDetections }
  let head: YOLOHead

  static let defaultIoU = 0.45

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let rows = ObjectnessRows(head: head, values: try head.values(outputs))
    let columns = head.layout.columns
    let inPixels = head.usesPixels { max(rows.values[$0 * columns], rows.values[$0 * columns + 1]) }
    var candidates = DetectionCandidates()
    try rows.forEachHit(threshold: threshold) { hit in
      let start = hit.row * columns
      candidates.append(
        BoundingBox(
          centerX: rows.values[start], centerY: rows.values[start + 1], width: rows.values[start + 2],
          height: rows.values[start + 3]), score: hit.score, classIndex: hit.classIndex)
    }
    return head.detections(
      candidates, inPixels: inPixels, threshold: threshold, defaultIoU: Self.defaultIoU, limit: limit)
  }
}
