// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// YOLOv8, v9, 11 and 12: [1, 4 + C, N], one column per cell, or [1, N, 4 + C], one row per cell.
///
/// The distribution over distances is already resolved, and there is no objectness. Boxes are (centre x,
/// centre y, width, height), or edges in LibreYOLO's YOLOv9; in fractions in Ultralytics' TFLite exports, or
/// in pixels in conversions through ONNX. The values show which. Mask coefficients and points after the
/// classes are ignored; with an angle, the result is the upright box around the rotated one.
///
/// **Source:** Ultralytics, `nn/modules/head.py`, `Detect._inference`; IoU 0.7 from `cfg/default.yaml`.
struct YOLOv8Decoder: DetectionDecoder {
  var family: DetectorFamily { head.layout.family }
  let hasClasses = true
  var classCount: Int? { head.layout.classCount }
  var maximumDetections: Int { head.maximumDetections }
  var assumptions: [Advice] { head.notes }
  private let head: YOLOHead
  private let cells: CellSample?

  static let defaultIoU = 0.7

  init(head: YOLOHead) {
    self.head = head
    cells = head.layout.grid.map { CellSample($0, perCell: 1) }
  }

  /// Returns the decoder for one row per cell, or for the best detections if rows contain their class number.
  static func orEndToEnd(head: YOLOHead) -> any DetectionDecoder {
    guard head.layout.classCount == nil else { return YOLOv8Decoder(head: head) }
    return YOLOv10Decoder(head: head)
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let values = try head.values(outputs)
    let best = BestScores(values, layout: head.layout, from: 4)
    try checkBackground(best.scores)
    try head.check(bestScores: best.scores)
    let (step, jump) = head.layout.steps
    let columns = BoxColumns(values: values, rows: head.layout.rows, step: step, jump: jump)
    try checkPoints(columns)
    let inPixels = head.usesPixels { max(columns.number($0, 0), columns.number($0, 1)) }
    let kind = try head.kind(of: columns, cells, inPixels: inPixels)
    var candidates = DetectionCandidates()
    for row in 0..<head.layout.rows where best.scores[row] >= threshold && best.scores[row] > -.infinity {
      var box = columns.box(row, kind)
      if head.layout.extra == .angle {
        box = box.hull(rotatedBy: columns.number(row, head.layout.columns - 1), head, inPixels: inPixels)
      }
      candidates.append(box, score: min(best.scores[row], 1), classIndex: best.classIndex(of: row))
    }
    return head.detections(
      candidates, inPixels: inPixels, threshold: threshold, defaultIoU: Self.defaultIoU, limit: limit)
  }

  /// Throws if nearly every row has a confident class, which no image causes: these are points or masks.
  ///
  /// In yolo11n-pose, 97 to 99 % of the rows have a number above 0.25 among those of the points, whatever the
  /// image; in a detector, few rows have a number above 0.02.
  private func checkBackground(_ scores: [Float]) throws(DetectionError) {
    // One class and the fewest values of a point.
    guard head.layout.columns >= 4 + 1 + 2 else { return }
    // With one label too many, a coordinate becomes a class; in four of five rows it is far from 0.
    let isTaken = !head.layout.isDescribed && head.layout.extra != nil
    let (part, whole) = isTaken ? (3, 4) : (9, 10)
    var sampled = 0
    var sure = 0
    for row in sampledRows(of: scores.count) {
      sampled += 1
      if scores[row] >= 0.2 { sure += 1 }
    }
    guard sampled >= 64, sure * whole >= sampled * part else { return }
    throw DetectionError(
      .invalidOutput,
      "'\(head.modelName)' of the family '\(family)' returned a class score of 0.2 or more"
        + " in \(sure) of \(sampled) rows, which no image causes: these seem to be points (-pose) or masks"
        + " (-seg), not classes",
      remedy:
        """
        If it finds points, give its labels (\(option: "labels")), one per class, or, for a single class, \
        name the family '\(DetectorFamily.yolov8Pose)' (\(option: "family", "yolov8-pose")); otherwise \
        export it with its description or for detection
        """
    )
  }

  /// Throws if, in a model without a declared task, the first point lies at the left edge in nearly every
  /// row, as the scores of further classes would.
  private func checkPoints(_ columns: BoxColumns) throws(DetectionError) {
    guard case .points? = head.layout.extra, !head.layout.isDescribed, let classCount else { return }
    var sampled = 0
    var small = 0
    for row in sampledRows(of: columns.rows) {
      sampled += 1
      if abs(columns.number(row, 4 + classCount)) < 0.02 { small += 1 }
    }
    guard sampled >= 64, small * 10 >= sampled * 9 else { return }
    throw DetectionError(
      .invalidOutput,
      "'\(head.modelName)' of the family '\(family)' returned numbers below 0.02 behind its"
        + " \(classCount == 1 ? "class" : "\(classCount) classes") in \(small) of \(sampled) rows:"
        + " these seem to be scores of more classes, not points",
      remedy: "Give its own labels (\(option: "labels")), one per class")
  }
}
