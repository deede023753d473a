// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// YOLOX: [1, N, 5 + C], one row per cell, decoded or not.
///
/// With the export option `--decode_in_inference`, rows are (centre x, centre y, width, height) in pixels;
/// without it, they are the centre's offset from the cell and the logarithm of the size, both in cells. The
/// values show which: centres lie in or near their own cells.
///
/// **Source:** Ge et al., "YOLOX: Exceeding YOLO Series in 2021"; `yolox/models/yolo_head.py`,
/// `decode_outputs`; IoU 0.45 from `demo/ONNXRuntime/onnx_inference.py` (the evaluation in
/// `yolox/exp/yolox_base.py` uses 0.65).
struct YOLOXDecoder: DetectionDecoder {
  let family = DetectorFamily.yolox
  let hasClasses = true
  var classCount: Int? { head.layout.classCount }
  var maximumDetections: Int { head.maximumDetections }
  private let head: YOLOHead
  private let cells: [YOLOGrid.Cell]

  static let defaultIoU = 0.45

  init?(head: YOLOHead) {
    guard let grid = head.layout.grid else { return nil }
    self.head = head
    cells = grid.cells
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let rows = ObjectnessRows(head: head, values: try head.values(outputs))
    let isDecoded = try isDecoded(rows.values)
    var candidates = DetectionCandidates()
    try rows.forEachHit(threshold: threshold) { hit in
      let start = hit.row * head.layout.columns
      var (x, y) = (rows.values[start], rows.values[start + 1])
      var (width, height) = (rows.values[start + 2], rows.values[start + 3])
      if !isDecoded {
        let cell = cells[hit.row]
        x = (x + cell.x) * cell.stride
        y = (y + cell.y) * cell.stride
        width = exp(width) * cell.stride
        height = exp(height) * cell.stride
      }
      candidates.append(
        BoundingBox(centerX: x, centerY: y, width: width, height: height), score: hit.score,
        classIndex: hit.classIndex)
    }
    return head.detections(
      candidates, inPixels: true, threshold: threshold, defaultIoU: Self.defaultIoU, limit: limit)
  }

  /// Determines from a sample of the rows whether they are decoded.
  /// - Throws: `invalidOutput` if most centres are far from their cells either way.
  private func isDecoded(_ values: [Float]) throws(DetectionError) -> Bool {
    // The distance in cells between a cell's middle and a centre learned for the cell.
    func isNear(_ offset: Float) -> Bool { abs(offset - 0.5) < 3 }
    var decoded = 0
    var raw = 0
    var sampled = 0
    for row in sampledRows(of: cells.count) {
      let (x, y) = (values[row * head.layout.columns], values[row * head.layout.columns + 1])
      let cell = cells[row]
      sampled += 1
      if isNear(x / cell.stride - cell.x), isNear(y / cell.stride - cell.y) { decoded += 1 }
      if isNear(x), isNear(y) { raw += 1 }
    }
    guard max(decoded, raw) * 2 > sampled else {
      throw head.invalid("returned centres that are far from their cells, decoded or not")
    }
    return decoded >= raw
  }
}
