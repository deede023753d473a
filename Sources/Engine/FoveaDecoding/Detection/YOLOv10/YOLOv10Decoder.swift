// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// YOLOv10, YOLO26 and others without suppression: [1, K, 6], a row for each of the best detections.
///
/// A row is (left, top, right, bottom, score, class), in fractions in Ultralytics exports through TensorFlow,
/// or in pixels in exports through LiteRT; the values show which. Nothing is suppressed unless the caller
/// asks for it. Mask coefficients and points after the six numbers are ignored. If an angle follows them, the
/// box is centre and size, and the result is the upright box around the rotated one.
///
/// **Source:** Wang et al., "YOLOv10: Real-Time End-to-End Object Detection"; Ultralytics,
/// `nn/modules/head.py`, `Detect.postprocess`, and `nn/backends/litert.py`.
struct YOLOv10Decoder: DetectionDecoder {
  let family = DetectorFamily.yolov10
  let hasClasses = true
  var maximumDetections: Int { head.maximumDetections }
  var assumptions: [Advice] { head.notes }
  let head: YOLOHead

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let values = try head.values(outputs)
    let columns = BoxColumns(values: values, rows: head.layout.rows, step: head.layout.columns, jump: 1)
    let kind: BoxColumns.Kind = head.layout.extra == .angle ? .center : .edges
    let first = kind == .edges ? 2 : 0
    let inPixels = head.usesPixels { max(columns.number($0, first), columns.number($0, first + 1)) }
    var candidates = DetectionCandidates()
    var hasNumbers = false
    for row in 0..<head.layout.rows {
      let start = row * head.layout.columns
      let score = values[start + 4]
      try head.check(score: score, "a score")
      hasNumbers = hasNumbers || !score.isNaN
      let value = values[start + 5]
      guard isClass(value) else {
        // Unused rows may have the class −1; their score is 0.
        if !(value > 0), score <= 0 || !(score >= threshold) { continue }
        let shown = "\(value) as the class of row \(row)"
        throw head.invalid("returned \(shown); it must be a whole number from 0")
      }
      guard score >= threshold else { continue }
      var box = columns.box(row, kind)
      if kind == .center { box = box.hull(rotatedBy: columns.number(row, 6), head, inPixels: inPixels) }
      candidates.append(box, score: min(score, 1), classIndex: Int(max(value, 0).rounded()))
    }
    guard hasNumbers else { throw head.noNumbers() }
    return head.detections(
      candidates, inPixels: inPixels,
      threshold: threshold, defaultIoU: head.suppression.isClassAgnostic ? YOLOv8Decoder.defaultIoU : nil,
      limit: limit)
  }

  /// Returns whether a number is a class: whole after rounding by the exporter or by quantisation.
  private func isClass(_ value: Float) -> Bool {
    value > -0.5 && value < 1_000_000 && abs(value - value.rounded()) <= max(0.011, head.step / 2)
  }
}
