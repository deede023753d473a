// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The caller's options for non-maximum suppression; nil keeps the family's defaults.
public struct SuppressionOptions: Sendable, Hashable {
  /// The largest IoU of two detections of one class, 0…1; nil uses the family's default.
  ///
  /// Raising it keeps more boxes on one object; lowering it merges neighbours. If it is set for a family
  /// whose models suppress duplicates themselves, suppression runs a second time.
  public var iouThreshold: Double?
  /// Whether detections of different classes suppress each other as well; false by default, as in the
  /// families' own programs.
  ///
  /// If true, an object that a model takes for two keeps one box, but one of two overlapping objects is lost.
  public var isClassAgnostic: Bool
  /// The largest IoU of two detections of different classes, 0…1.
  ///
  /// The default, nil, uses 0.8, or keeps all detections if the threshold is below 0.05.
  ///
  /// Two boxes that overlap this much are one object with two names, and the one with the higher score is
  /// kept. Raising the value keeps more names per object, and 1 keeps all; lowering it loses objects that
  /// overlap, such as a person on a horse. Thresholds below 0.05 are used in evaluations, whose average
  /// precision counts each name.
  public var crossClassIoU: Double?

  /// Creates options; the default is to keep the family's defaults.
  public init(iouThreshold: Double? = nil, isClassAgnostic: Bool = false, crossClassIoU: Double? = nil) {
    self.iouThreshold = iouThreshold
    self.isClassAgnostic = isClassAgnostic
    self.crossClassIoU = crossClassIoU
  }

  // COCO evaluations use thresholds from 0.001 to 0.05; applications use higher ones.
  private static let evaluationThreshold: Float = 0.05
  private static let defaultCrossClassIoU = 0.8

  /// Returns the largest IoU of two detections of different classes whose score reaches `threshold`.
  package func crossClassIoU(threshold: Float) -> Double {
    crossClassIoU ?? (threshold < Self.evaluationThreshold ? 1 : Self.defaultCrossClassIoU)
  }
}

extension [Detection] {
  /// Suppresses duplicates after a model that has already done so within each class: across classes by
  /// default, and within a class if the caller asks for it.
  mutating func suppress(_ options: SuppressionOptions, threshold: Float) {
    // The operator's usual IoU if only class-agnostic suppression is set; otherwise 1, which no IoU exceeds.
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
