// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// YOLOv5 (and v7, v4 in its layout): [1, 3 N, 5 + C], three rows for each cell, decoded, with the sigmoid done.
///
/// Boxes are (centre x, centre y, width, height), in fractions as Ultralytics' own TFLite export writes them, or in pixels
/// as conversions by way of ONNX do; scores are 0…1, or percent next to pixels in Swift-YOLO's. The values show which. What
/// stands behind the classes, for masks, is not read.
///
/// **Source:** Ultralytics YOLOv5, `models/tf.py`, `TFDetect`; IoU 0.45 of `detect.py`; for percent see `PercentScores`.
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
