// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// What a tracker says about one detection.
public struct TrackedDetection: Sendable, Hashable {
  /// What became of a detection.
  public enum Outcome: Sendable, Hashable {
    /// It is an object with an identity, seen in this frame.
    case tracked
    /// It may become an object when it is seen again.
    case tentative
    /// It belongs to no object: too weak to begin one, or the double of one that is there.
    case unmatched
    /// It was left out: a score below the lowest limit, an edge that is not finite or beyond 10⁹ pixels, no area, or
    /// more boxes of higher scores than the tracker takes in one frame.
    case refused
  }

  /// What became of the detection.
  public var outcome: Outcome
  /// The identity of the object; nil unless `outcome` is `tracked`.
  public var identity: Int?
  /// Where the object is by all that was seen of it, in pixels of the frame; the detection's own box where it has no
  /// identity.
  public var box: BoundingBox
  /// The index of the class that most of the object's last detections had; nil where it has no identity or no class.
  public var classIndex: Int?

  /// Makes an answer.
  public init(outcome: Outcome, identity: Int? = nil, box: BoundingBox, classIndex: Int? = nil) {
    self.outcome = outcome
    self.identity = identity
    self.box = box
    self.classIndex = classIndex
  }
}

/// A box that a detector found in one frame.
public struct TrackingDetection: Sendable, Hashable {
  /// Where it is, in pixels of the frame.
  public var box: BoundingBox
  /// How sure the detector is, 0…1.
  public var score: Double
  /// The index of its class; nil where there are no classes.
  public var classIndex: Int?

  /// Makes a detection.
  public init(box: BoundingBox, score: Double, classIndex: Int? = nil) {
    self.box = box
    self.score = score
    self.classIndex = classIndex
  }
}
