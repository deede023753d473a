// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// YOLOv3 and v4: boxes [1, 3 N, 4] and scores [1, 3 N, C] in either order, three rows per cell.
///
/// Boxes are (centre x, centre y, width, height), or edges in PyTorch exports, in pixels or fractions of the
/// input; the values show which. A score is objectness · class, both after their sigmoid.
///
/// **Source:** hunglc007/tensorflow-yolov4-tflite (MIT), `core/yolov4.py`, `decode_tflite`; edges:
/// Tianxiaomo/pytorch-YOLOv4 (Apache-2.0), `tool/yolo_layer.py`, `yolo_forward`; IoU 0.45 from `detect.py`.
struct YOLOv4Decoder: DetectionDecoder {
  let family = DetectorFamily.yolov4
  let hasClasses = true
  var classCount: Int? { outputs.classCount }
  var maximumDetections: Int { head.maximumDetections }
  private let outputs: YOLOv4Outputs
  private let head: YOLOHead
  private let cells: CellSample?

  static let defaultIoU = 0.45

  /// Recognises boxes and scores with three rows per cell, or any number if the caller names the family.
  init?(recognizing model: DetectorRecognizer, isAsked: Bool) throws(DetectionError) {
    guard let size = YOLOGrid.inputSize(of: model.signature), let outputs = YOLOv4Outputs(model) else {
      return nil
    }
    let grid = YOLOGrid.all(for: model.signature).first { $0.count * 3 == outputs.rows }
    // Anchors in the metadata make it an SSD.
    let hasAnchors =
      model.metadata?.subgraphs.first?.customMetadata.contains { $0.name == AnchorMetadata.name } ?? false
    guard isAsked || grid != nil && !hasAnchors else { return nil }
    self.outputs = outputs
    head = YOLOHead(
      modelName: model.modelName,
      layout: YOLOLayout(
        family: .yolov4, rows: outputs.rows, columns: outputs.classCount, classCount: outputs.classCount,
        grid: grid),
      inputWidth: size.width, inputHeight: size.height, suppression: model.suppression)
    cells = grid.map { CellSample($0, perCell: 3) }
  }

  func decode(_ answer: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let counts = [outputs.rows * 4, outputs.rows * outputs.classCount]
    guard answer.count == 2, answer.map(\.count) == counts || answer.map(\.count) == counts.reversed() else {
      throw head.invalid(
        "returned \(answer.map(\.count)) numbers; \(counts[0]) and \(counts[1]) are expected")
    }
    guard let boxes = outputs.boxes(of: answer), answer[boxes].count == counts[0] else {
      throw head.invalid("returned two outputs of four numbers per row, neither of which holds boxes")
    }
    let best = BestScores(answer[1 - boxes], layout: head.layout, from: 0)
    try head.check(bestScores: best.scores)
    let rows = (0..<outputs.rows).filter { best.scores[$0] >= threshold && best.scores[$0] > -.infinity }
    let columns = BoxColumns(values: answer[boxes], rows: outputs.rows, step: 4, jump: 1)
    let inPixels = usesPixels(columns, rows)
    let kind = try kind(columns, rows, inPixels: inPixels)
    var candidates = DetectionCandidates()
    for row in rows {
      candidates.append(
        columns.box(row, kind), score: min(best.scores[row], 1), classIndex: best.classIndex(of: row))
    }
    return head.detections(
      candidates, inPixels: inPixels, threshold: threshold, defaultIoU: Self.defaultIoU, limit: limit)
  }

  /// Returns whether positions are pixels: most detected boxes reach beyond fractions; without detections,
  /// all boxes decide.
  private func usesPixels(_ columns: BoxColumns, _ found: [Int]) -> Bool {
    let reach: (Int) -> Float = { row in
      (0..<4).reduce(0) { max($0, columns.number(row, $1)) }
    }
    guard !found.isEmpty else { return head.usesPixels(reach) }
    return found.count { reach($0) > 2 } * 2 > found.count
  }

  /// Returns the meaning of a box's four numbers; `center` if detected boxes cannot be edges.
  private func kind(
    _ columns: BoxColumns, _ found: [Int], inPixels: Bool
  ) throws(DetectionError) -> BoxColumns.Kind {
    let turned = found.count {
      columns.number($0, 2) < columns.number($0, 0) || columns.number($0, 3) < columns.number($0, 1)
    }
    guard turned * 10 <= found.count else { return .center }
    return try head.kind(of: columns, cells, inPixels: inPixels)
  }
}
