// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One answer of a detector, before boxes are mapped to pixels and classes to names.
public struct Detection: Sendable, Hashable {
  /// Where, in fractions of what the model was shown, upright; may reach beyond 0…1.
  public var box: NormalizedBox
  /// How sure the model is, 0…1.
  public var score: Float
  /// The class, from 0; nil for a detector of one class.
  public var classIndex: Int?
  /// The places that the model names on the object, in its own order and in the same fractions as `box`; empty for
  /// families that name none.
  public var keypoints: [NormalizedPoint]

  /// Makes a detection.
  public init(box: NormalizedBox, score: Float, classIndex: Int?, keypoints: [NormalizedPoint] = []) {
    self.box = box
    self.score = score
    self.classIndex = classIndex
    self.keypoints = keypoints
  }
}

extension [Detection] {
  /// Sorts by falling score, ties in their present order, and keeps the first `limit`.
  mutating func keepBest(_ limit: Int) {
    // Models mostly answer sorted already; the check spares the sort and its memory.
    let isSorted = zip(self, dropFirst()).allSatisfy { $0.score >= $1.score }
    if !isSorted {
      let ranked = enumerated().sorted {
        $0.element.score != $1.element.score ? $0.element.score > $1.element.score : $0.offset < $1.offset
      }
      self = ranked.map(\.element)
    }
    if count > limit { removeLast(count - Swift.max(limit, 0)) }
  }
}
