// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// What a caller asks of the suppression of doubles, in place of the family's default.
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

  /// Makes options; without arguments, the family's default.
  public init(iouThreshold: Double? = nil, isClassAgnostic: Bool = false) {
    self.iouThreshold = iouThreshold
    self.isClassAgnostic = isClassAgnostic
  }
}

extension [Detection] {
  /// Suppresses doubles once more after a model that has done so by itself, where the caller asks for it.
  mutating func suppress(_ options: SuppressionOptions) {
    guard options != SuppressionOptions() else { return }
    var boxes: [BoundingBox] = []
    boxes.reserveCapacity(count)
    for detection in self {
      let box = detection.box
      boxes.append(BoundingBox(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY))
    }
    let kept = nonMaximumSuppression(
      boxes: boxes, scores: map(\.score), classes: options.isClassAgnostic ? nil : map { $0.classIndex ?? 0 },
      // The operator's usual IoU, for a caller who only lets classes compete.
      threshold: options.iouThreshold ?? 0.6)
    self = kept.map { self[$0] }
  }
}
