// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// YOLOv5 (and v7, and v4 in its layout): [1, 3 N, 5 + C], three rows per cell, decoded, after the sigmoid.
///
/// Boxes are (centre x, centre y, width, height), in fractions in Ultralytics' own TFLite exports, or in
/// pixels in conversions through ONNX; scores are 0…1, or percent, with pixels, in Swift-YOLO. The values
/// show which. Mask coefficients after the classes are ignored.
///
/// **Source:** Ultralytics YOLOv5, `models/tf.py`, `TFDetect`; IoU 0.45 from `detect.py`; for percent see
/// `PercentScores`.
struct YOLOv5Decoder: DetectionDecoder {
  let family = DetectorFamily.yolov5
  let hasClasses = true
  var classCount: Int? { head.layout.classCount }
  var maximumDetections: Int { head.maximumDetections }
  var assumptions: [Advice] { head.notes + head.unitNotes }
  private let head: YOLOHead
  private let cells: CellSample?

  static let defaultIoU = 0.45

  init(head: YOLOHead) {
    self.head = head
    cells = head.layout.grid.map { CellSample($0, perCell: 3) }
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let values = try head.values(outputs)
    let columns = BoxColumns(values: values, rows: head.layout.rows, step: head.layout.columns, jump: 1)
    let inPixels = head.usesPixels { max(columns.number($0, 0), columns.number($0, 1)) }
    let rows = try ObjectnessRows(head: head, values: values).withUnit(inPixels: inPixels, cells)
    var candidates = DetectionCandidates()
    try rows.forEachHit(threshold: threshold) { hit in
      candidates.append(columns.box(hit.row, .center), score: hit.score, classIndex: hit.classIndex)
    }
    return head.detections(
      candidates, inPixels: inPixels, threshold: threshold, defaultIoU: Self.defaultIoU, limit: limit)
  }
}
