// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// SSDs whose outputs include the anchors, as a third output or in each row.
///
/// Three outputs, box codes [1, A, 4], scores [1, A, C] and anchors [A, 4] or [1, A, 4], come from the
/// TensorFlow Object Detection API without its post-processing; the scores are interpreted as for
/// `ssd-anchors`. A single output comes from Keras SSDs, with the background's score first in each row.
///
/// **Source:** Liu et al., "SSD: Single Shot MultiBox Detector", section 2.2; TensorFlow Object Detection
/// API, `export_tflite_ssd_graph_lib.py` and `faster_rcnn_box_coder.py`; for joined rows see `PriorRows`, IoU
/// 0.45 from `decode_detections`.
struct PriorSSDDecoder: DetectionDecoder {
  let family = DetectorFamily.priorSSD
  let hasClasses: Bool
  let classCount: Int?
  let maximumDetections: Int
  private let modelName: String
  private let head: PriorHead
  private let reading: ScoreReading?
  private let width: Int
  private let height: Int
  private let suppression: SuppressionOptions

  /// Recognises three outputs or one joined output; see `PriorHead`.
  init?(recognizing model: DetectorRecognizer, isAsked: Bool) throws(DetectionError) {
    guard let size = YOLOGrid.inputSize(of: model.signature),
      let head = try PriorHead(model, isAsked: isAsked)
    else { return nil }
    self.head = head
    modelName = model.modelName
    (width, height) = (size.width, size.height)
    suppression = model.suppression
    switch head {
    case .separate(let codes, let scores, _, let anchorHead):
      var rest = model
      let outputs = model.signature.outputs
      rest.signature.outputs =
        anchorHead.boxes == 0 ? [outputs[codes], outputs[scores]] : [outputs[scores], outputs[codes]]
      let reading = try ScoreReading(anchorHead, of: rest, anchors: nil)
      self.reading = reading
      hasClasses = anchorHead.columns > 1 || model.hints.labels != nil
      classCount = anchorHead.columns - reading.classOffset
      maximumDetections = min(anchorHead.count, 100)
    case .joined(let rows, let columns):
      reading = nil
      hasClasses = true
      classCount = Self.classCount(columns: columns, model)
      maximumDetections = min(rows, 200)
    }
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    switch head {
    case .separate(let codes, let scores, let anchors, let head):
      try decode(
        outputs, codes: codes, scores: scores, anchors: anchors, head, threshold: threshold, limit: limit)
    case .joined(let rows, let columns):
      try decode(outputs, rows: rows, columns: columns, threshold: threshold, limit: limit)
    }
  }

  private func decode(
    _ outputs: [[Float]], codes: Int, scores: Int, anchors: Int, _ head: AnchorHead, threshold: Float,
    limit: Int
  ) throws(DetectionError) -> [Detection] {
    guard let reading, outputs.count == 3, outputs[codes].count == head.count * 4,
      outputs[scores].count == head.count * head.columns, outputs[anchors].count == head.count * 4
    else { throw invalid("\(outputs.map(\.count)) numbers, which are not those of \(head.count) anchors") }
    guard
      let priors = PriorAnchors(
        outputs[anchors], from: 0, step: 4, count: head.count, width: width, height: height, isYFirst: true)
    else { throw invalid("anchors without a position or a size") }
    var candidates = DetectionCandidates(hasClasses: hasClasses)
    let values = outputs[scores]
    try reading.forEachRow(
      reaching: reading.cut(threshold), values, rows: head.count, columns: head.columns
    ) { (row) throws(DetectionError) in
      guard
        let best = reading.best(values, from: row * head.columns, columns: head.columns, least: threshold)
      else { return }
      guard best.score > -.infinity, best.score <= 1.01 else {
        throw .notAProbability(best.score, modelName: modelName)
      }
      guard best.score >= threshold else { return }
      // The codes have the order of the anchors.
      let x = priors.isYFirst ? 1 : 0
      let code = (0..<4).map { outputs[codes][row * 4 + $0] }
      candidates.append(
        Self.box(
          [code[x], code[1 - x], code[2 + x], code[3 - x]], priors.anchors[row],
          variances: PriorRows.usualVariances), score: best.score,
        classIndex: best.column - reading.classOffset)
    }
    return candidates.detections(threshold: threshold, usualIoU: 0.6, options: suppression, limit: limit)
  }

  private func decode(
    _ outputs: [[Float]], rows: Int, columns: Int, threshold: Float, limit: Int
  ) throws(DetectionError) -> [Detection] {
    guard let values = outputs.first, values.count == rows * columns else {
      throw invalid("\(outputs.first?.count ?? 0) numbers; \(rows) rows of \(columns) are expected")
    }
    guard let layout = PriorRows(values, rows: rows, columns: columns) else {
      throw invalid("rows in which no scores add up to 1, neither first nor after four offsets")
    }
    guard
      let priors = PriorAnchors(
        values, from: layout.anchor, step: columns, count: rows, width: width, height: height, isYFirst: nil)
    else { throw invalid("anchors without a position or a size") }
    // In ST's SSDs offsets move edges, in Keras SSDs centre and size; boxes of the other kind would be wrong.
    guard !priors.areEdges || layout.variances != nil || layout.offsets == 0 else {
      throw DetectionError(
        .invalidOutput,
        "'\(modelName)' of the family '\(family)' returned anchors as edges without variances,"
          + " as ST's SSDs do",
        remedy:
          "Name the family 'st-ssd' (\(option: "family", "st-ssd")) if it is one, or export the model with"
          + " its variances"
      )
    }
    var candidates = DetectionCandidates()
    for row in 0..<rows {
      let start = row * columns
      let best = bestScore(
        values, from: start + layout.classes.lowerBound, columns: layout.classes.count, first: 1,
        areLogits: false)
      guard let best else { continue }
      guard best.score.isFinite else { throw .notAProbability(best.score, modelName: modelName) }
      guard best.score >= threshold else { continue }
      let codes = (0..<4).map { values[start + layout.offsets + $0] }
      let variances =
        layout.variances.map { place in (0..<4).map { values[start + place + $0] } }
        ?? PriorRows.usualVariances
      candidates.append(
        Self.box(codes, priors.anchors[row], variances: variances), score: min(best.score, 1),
        classIndex: best.column - 1)
    }
    return candidates.detections(threshold: threshold, usualIoU: 0.45, options: suppression, limit: limit)
  }

  /// Returns the number of classes of joined rows; nil without labels.
  ///
  /// Only the values show whether there are variances, unless the labels do. Labels that fit neither way do
  /// not belong to the model.
  private static func classCount(columns: Int, _ model: DetectorRecognizer) -> Int? {
    let possible = [columns - 13, columns - 9].filter { $0 > 0 }
    guard let labels = model.hints.labels else { return possible.first { $0 == model.labelCount } }
    return possible.first { labels.counts.contains($0) } ?? possible.first { labels.canFit($0) }
      ?? possible.min { abs($0 - labels.count) < abs($1 - labels.count) }
  }

  /// Returns the box for four codes (x, y, width, height).
  private static func box(
    _ codes: [Float], _ anchor: AnchorLayout.Anchor, variances: [Float]
  ) -> BoundingBox {
    BoundingBox(
      centerX: codes[0] * variances[0] * anchor.width + anchor.centerX,
      centerY: codes[1] * variances[1] * anchor.height + anchor.centerY,
      width: exp(codes[2] * variances[2]) * anchor.width, height: exp(codes[3] * variances[3]) * anchor.height
    )
  }

  private func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(family)' returned \(what)",
      remedy: "Name the right family, or check the model with the tool that exported it")
  }
}
