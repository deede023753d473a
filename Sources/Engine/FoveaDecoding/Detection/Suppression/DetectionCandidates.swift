// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Boxes of one answer that are above the threshold, before duplicates are suppressed.
struct DetectionCandidates {
  private var boxes: [BoundingBox] = []
  private var scores: [Float] = []
  private var classes: [Int] = []

  /// The boxes that there is room for before memory grows: more than most images have.
  static let reserved = 64

  /// Takes a box unless it marks no place: an edge that is not finite, or no area.
  mutating func append(_ box: BoundingBox, score: Float, classIndex: Int) {
    guard box.width > 0, box.height > 0, (box.minX + box.minY + box.maxX + box.maxY).isFinite else { return }
    if boxes.isEmpty {
      boxes.reserveCapacity(Self.reserved)
      scores.reserveCapacity(Self.reserved)
      classes.reserveCapacity(Self.reserved)
    }
    boxes.append(box)
    scores.append(score)
    classes.append(classIndex)
  }

  /// The best boxes as detections.
  /// - Parameters:
  ///   - threshold: The lowest score that was asked for.
  ///   - usualIoU: The largest IoU of two of one class where the options name none; nil suppresses nothing.
  ///   - options: What the caller asks of the suppression.
  ///   - limit: The most detections.
  ///   - scaleX: What makes an x a fraction of the input's width.
  ///   - scaleY: What makes a y a fraction of the input's height.
  /// - Returns: The detections by falling score.
  func detections(
    threshold: Float, usualIoU: Double?, options: SuppressionOptions, limit: Int, scaleX: Double = 1,
    scaleY: Double = 1
  ) -> [Detection] {
    // No IoU is above 1.
    let kept = nonMaximumSuppression(
      boxes: boxes, scores: scores, classes: options.isClassAgnostic ? nil : classes,
      threshold: options.iouThreshold ?? usualIoU ?? 1,
      crossClassThreshold: options.crossClassIoU(threshold: threshold),
      limit: max(limit, 0))
    return kept.map { index in
      let box = boxes[index]
      return Detection(
        box: NormalizedBox(
          minX: box.minX * scaleX, minY: box.minY * scaleY, maxX: box.maxX * scaleX, maxY: box.maxY * scaleY),
        score: scores[index], classIndex: classes[index])
    }
  }
}
