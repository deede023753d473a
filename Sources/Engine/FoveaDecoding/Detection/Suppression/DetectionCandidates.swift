// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The boxes of one run that reach the threshold, before duplicates are suppressed.
struct DetectionCandidates {
  private var boxes: [BoundingBox] = []
  private(set) var scores: [Float] = []
  private(set) var classes: [Int] = []
  /// The row of each box, if rows have more than a box; otherwise empty.
  private(set) var rows: [Int] = []
  private let keepsRows: Bool
  private let hasClasses: Bool

  /// The initial capacity: more boxes than most images have.
  private static let reserved = 64

  /// Creates an empty list.
  /// - Parameters:
  ///   - keepsRows: Whether `rows` is needed: for models that find more than boxes.
  ///   - hasClasses: Whether detections get their class; false for a detector of one class.
  init(keepsRows: Bool = false, hasClasses: Bool = true) {
    (self.keepsRows, self.hasClasses) = (keepsRows, hasClasses)
  }

  /// Adds the box of a row, unless an edge is not finite or the area is not positive.
  mutating func append(_ box: BoundingBox, score: Float, classIndex: Int, row: Int = 0) {
    guard box.width > 0, box.height > 0, (box.minX + box.minY + box.maxX + box.maxY).isFinite else { return }
    if boxes.isEmpty {
      boxes.reserveCapacity(Self.reserved)
      scores.reserveCapacity(Self.reserved)
      classes.reserveCapacity(Self.reserved)
    }
    boxes.append(box)
    scores.append(score)
    classes.append(classIndex)
    if keepsRows { rows.append(row) }
  }

  /// Returns the best boxes as detections.
  /// - Parameters:
  ///   - threshold: The lowest score that the caller asked for.
  ///   - usualIoU: The largest IoU of two boxes of one class if the options set none; nil suppresses nothing.
  ///   - options: The caller's suppression options.
  ///   - limit: The largest number of detections.
  ///   - scaleX: The factor that turns x into a fraction of the input's width.
  ///   - scaleY: The factor that turns y into a fraction of the input's height.
  /// - Returns: The detections by descending score.
  func detections(
    threshold: Float, usualIoU: Double?, options: SuppressionOptions, limit: Int, scaleX: Double = 1,
    scaleY: Double = 1
  ) -> [Detection] {
    kept(threshold: threshold, usualIoU: usualIoU, options: options, limit: limit).map {
      detection($0, scaleX: scaleX, scaleY: scaleY)
    }
  }

  /// Returns the indices of the best boxes by descending score; parameters as in `detections`.
  func kept(threshold: Float, usualIoU: Double?, options: SuppressionOptions, limit: Int) -> [Int] {
    // No IoU exceeds 1.
    nonMaximumSuppression(
      boxes: boxes, scores: scores, classes: options.isClassAgnostic ? nil : classes,
      threshold: options.iouThreshold ?? usualIoU ?? 1,
      crossClassThreshold: options.crossClassIoU(threshold: threshold),
      limit: max(limit, 0))
  }

  /// Returns one of the boxes as a detection.
  func detection(_ index: Int, scaleX: Double, scaleY: Double) -> Detection {
    let box = boxes[index]
    return Detection(
      box: NormalizedBox(
        minX: box.minX * scaleX, minY: box.minY * scaleY, maxX: box.maxX * scaleX, maxY: box.maxY * scaleY),
      score: scores[index], classIndex: hasClasses ? classes[index] : nil)
  }
}
