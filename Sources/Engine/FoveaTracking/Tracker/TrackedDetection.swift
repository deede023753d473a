// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A tracker's result for one detection.
public struct TrackedDetection: Sendable, Hashable {
  /// The outcome of a detection.
  public enum Outcome: Sendable, Hashable {
    /// The detection is an object with an identity, seen in this frame.
    case tracked
    /// The detection may become an object when it is seen again.
    case tentative
    /// The detection belongs to no object: it is too weak to start one, or a duplicate of an existing one.
    case unmatched
    /// The detection was ignored: a score below the lowest limit, an edge that is not finite or beyond 10⁹
    /// pixels, no area, or more boxes with higher scores than the tracker processes in one frame.
    case refused
  }

  /// The outcome of the detection.
  public var outcome: Outcome
  /// The identity of the object; nil unless `outcome` is `tracked`.
  public var identity: Int?
  /// The filtered box of the object, in pixels of the frame; the detection's own box if it has no identity.
  public var box: BoundingBox
  /// The index of the class of most of the object's last detections; nil without identity or class.
  public var classIndex: Int?

  /// Creates a result.
  public init(outcome: Outcome, identity: Int? = nil, box: BoundingBox, classIndex: Int? = nil) {
    self.outcome = outcome
    self.identity = identity
    self.box = box
    self.classIndex = classIndex
  }
}

/// A detected box in one frame.
public struct TrackingDetection: Sendable, Hashable {
  /// The box in pixels of the frame.
  public var box: BoundingBox
  /// The score, 0…1.
  public var score: Double
  /// The index of the class; nil if there are no classes.
  public var classIndex: Int?

  /// Creates a detection.
  public init(box: BoundingBox, score: Double, classIndex: Int? = nil) {
    self.box = box
    self.score = score
    self.classIndex = classIndex
  }
}
