// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A detection, before boxes are mapped to pixels and classes to names.
public struct Detection: Sendable, Hashable {
  /// The box in fractions of the model's input, upright; may extend beyond 0…1.
  public var box: NormalizedBox
  /// The score, 0…1; higher is more certain.
  public var score: Float
  /// The class, from 0; nil for a detector of one class.
  public var classIndex: Int?
  /// The keypoints on the object, in the model's order and in the same fractions as `box`; empty for families
  /// without keypoints.
  public var keypoints: [NormalizedPoint]
  /// The probability of each keypoint to be visible, 0…1; empty for models without them.
  public var keypointScores: [Float]
  /// The shape of the object, in pixels of the model's input, upright; nil for families without masks.
  public var mask: ObjectMask?
  /// The rotated box, in pixels of the model's input, upright; nil for families without rotated boxes.
  ///
  /// `box` is the upright box around it.
  public var orientedBox: OrientedBox?
  /// The points of a landmark model that is used without a detector; nil for other families.
  package var landmarks: LandmarkPoints?

  /// Creates a detection.
  public init(
    box: NormalizedBox, score: Float, classIndex: Int?, keypoints: [NormalizedPoint] = [],
    keypointScores: [Float] = [], mask: ObjectMask? = nil, orientedBox: OrientedBox? = nil
  ) {
    self.box = box
    self.score = score
    self.classIndex = classIndex
    self.keypoints = keypoints
    self.keypointScores = keypointScores
    self.mask = mask
    self.orientedBox = orientedBox
  }
}

extension [Detection] {
  /// Sorts by descending score, ties in their current order, and keeps the first `limit`.
  mutating func keepBest(_ limit: Int) {
    // Most models return sorted rows; the check saves the sort and its memory.
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
