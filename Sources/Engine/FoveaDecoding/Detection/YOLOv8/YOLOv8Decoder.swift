// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// YOLOv8 and its kin (v9, 11, 12): [1, 4 + C, N], a column for each cell, or a row for each: [1, N, 4 + C].
///
/// The distribution over distances is resolved already, and there is no objectness. Boxes are (centre x, centre y, width,
/// height), or edges as LibreYOLO's YOLOv9 writes them; in fractions as Ultralytics' TFLite export has them, or in pixels
/// as conversions by way of ONNX do. The values show which. What stands behind the classes, for masks and points, is not
/// read; an angle makes the box the upright one around the rotated.
///
/// **Source:** Ultralytics, `nn/modules/head.py`, `Detect._inference`; IoU 0.7 of `cfg/default.yaml`.
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

  /// The decoder of rows for each cell or, where the class is a number of its own, of the best answers.
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

  /// Throws where nearly every row is sure of a class, which no image shows: points or masks were taken for classes.
  ///
  /// Of yolo11n-pose's rows 97 to 99 in 100 have a number above 0.25 among those of the points, whatever the image, where a
  /// detector's have one above 0.02 in a few.
  private func checkBackground(_ scores: [Float]) throws(DetectionError) {
    // A class, and the least that a point has.
    guard head.layout.columns >= 4 + 1 + 2 else { return }
    // A label too many takes one place for a class, which is far from the left edge in four rows of five.
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
      "'\(head.modelName)' of the family '\(family)' answered a class's score of 0.2 and more in \(sure) of \(sampled) rows,"
        + " which no image shows: these seem to be points (-pose) or masks (-seg), not classes",
      remedy:
        "If it finds points, give its labels (\(option: "labels")), as many as its classes, or for one class the family '\(DetectorFamily.yolov8Pose)' (\(option: "family", "yolov8-pose")); else export it with its description or for detection"
    )
  }

  /// Throws where the first of the points of a model that is not described lie at the left edge in nearly every row, as the
  /// scores of more classes would.
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
      "'\(head.modelName)' of the family '\(family)' answered numbers below 0.02 behind its"
        + " \(classCount == 1 ? "class" : "\(classCount) classes") in \(small) of \(sampled) rows: these seem to be scores of"
        + " more classes, not points",
      remedy: "Give its own labels (\(option: "labels")), as many as its classes")
  }
}
