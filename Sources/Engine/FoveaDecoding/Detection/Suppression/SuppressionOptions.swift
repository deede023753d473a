// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Non-maximum suppression as the caller wants it; nil values keep the family's defaults.
public struct SuppressionOptions: Sendable, Hashable {
  /// The largest IoU that two answers may have, 0…1; nil takes the family's default.
  ///
  /// Raising it keeps more boxes on one object; lowering it merges neighbours. A family whose models suppress by
  /// themselves suppresses once more where this is given.
  public var iouThreshold: Double?
  /// Whether answers of different classes compete as well; false by default, as in the families' own programs.
  ///
  /// True leaves one box where a model takes one thing for two, and loses one of two things in the same place.
  public var isClassAgnostic: Bool
  /// The largest IoU that two answers of different classes may have, 0…1; nil, the default, takes 0.8, and keeps all where
  /// the threshold is below 0.05.
  ///
  /// Two boxes that cover each other this far are one thing with two names, and the surer one stays. Raising it keeps more
  /// names for one thing, and 1 keeps all; lowering it loses things that lie on one another, as a person on a horse.
  /// A threshold below 0.05 is that of an evaluation, whose average precision counts each name.
  public var crossClassIoU: Double?

  /// Makes options; without arguments, the defaults.
  public init(iouThreshold: Double? = nil, isClassAgnostic: Bool = false, crossClassIoU: Double? = nil) {
    self.iouThreshold = iouThreshold
    self.isClassAgnostic = isClassAgnostic
    self.crossClassIoU = crossClassIoU
  }

  // COCO evaluations take thresholds from 0.001 to 0.05; what people look at has a higher one.
  private static let evaluationThreshold: Float = 0.05
  private static let defaultCrossClassIoU = 0.8

  /// The largest IoU of two answers of different classes whose score reaches `threshold`.
  package func crossClassIoU(threshold: Float) -> Double {
    crossClassIoU ?? (threshold < Self.evaluationThreshold ? 1 : Self.defaultCrossClassIoU)
  }
}

extension [Detection] {
  /// Suppresses duplicates after a model that has done so within each class by itself: across classes by default, and
  /// within a class where the caller asks for it.
  mutating func suppress(_ options: SuppressionOptions, threshold: Float) {
    // The operator's usual IoU, for a caller who only lets classes compete; else no IoU is above 1.
    let iouThreshold = options.iouThreshold ?? (options.isClassAgnostic ? 0.6 : 1)
    let crossClassIoU = options.crossClassIoU(threshold: threshold)
    guard count > 1, iouThreshold < 1 || crossClassIoU < 1 else { return }
    var boxes: [BoundingBox] = []
    boxes.reserveCapacity(count)
    for detection in self {
      let box = detection.box
      boxes.append(BoundingBox(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY))
    }
    let kept = nonMaximumSuppression(
      boxes: boxes, scores: map(\.score), classes: options.isClassAgnostic ? nil : map { $0.classIndex ?? 0 },
      threshold: iouThreshold, crossClassThreshold: crossClassIoU)
    self = kept.map { self[$0] }
  }
}
