// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime

/// ST's SSDs: scores [1, A, C], background first, offsets and anchors [1, A, 4], or joined [1, A, C + 8].
///
/// Anchors are edges (left, top, right, bottom) in fractions. Each offset moves its edge by a multiple of the
/// anchor's width or height; unlike in other SSDs, there is no centre and no exponential.
///
/// **Source:** STMicroelectronics/stm32ai-modelzoo-services, `object_detection`, `decode_ssd_predictions`.
struct EdgeSSDDecoder: DetectionDecoder {
  let family = DetectorFamily.edgeSSD
  var classCount: Int? { head.columns - 1 }
  var maximumDetections: Int { min(head.rows, 100) }
  private let modelName: String
  private let head: EdgeSSDHead
  private let suppression: SuppressionOptions

  /// Recognises three outputs or one joined output; see `EdgeSSDHead`.
  init?(recognizing model: DetectorRecognizer, isAsked: Bool) {
    guard let head = EdgeSSDHead(model, isAsked: isAsked) else { return nil }
    self.head = head
    modelName = model.modelName
    suppression = model.suppression
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    guard let (scores, offsets, anchors) = head.parts(of: outputs) else {
      throw DetectionError(
        .invalidOutput,
        "'\(modelName)' of the family '\(family)' returned \(outputs.map(\.count)) numbers"
          + " that are not \(head.rows) rows of \(head.columns) scores that add up to 1,"
          + " four offsets, and four edges of anchors",
        remedy: "Name the right family, or check the model with the tool that exported it")
    }
    var candidates = DetectionCandidates()
    for row in 0..<head.rows {
      let best = bestScore(
        outputs[scores.output], from: row * scores.step + scores.first, columns: head.columns, first: 1,
        areLogits: false)
      guard let best else { continue }
      guard best.score.isFinite else { throw .notAProbability(best.score, modelName: modelName) }
      guard best.score >= threshold else { continue }
      let box = anchors.box(row) { outputs[offsets.output][row * offsets.step + offsets.first + $0] }
      candidates.append(box, score: min(best.score, 1), classIndex: best.column - 1)
    }
    return candidates.detections(
      threshold: threshold, usualIoU: family.iou, options: suppression, limit: limit)
  }
}
