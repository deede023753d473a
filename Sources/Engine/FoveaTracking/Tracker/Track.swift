// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// An object known to a tracker, whether it was seen in the last frame or not.
public struct Track: Sendable, Hashable {
  /// The identity; nil while the object is tentative.
  public var identity: Int?
  /// The state of the object.
  public var state: TrackState
  /// The observed or predicted box, in pixels of the last frame.
  public var box: BoundingBox
  /// The horizontal velocity of the centre, in pixels per frame, positive to the right.
  public var velocityX: Double
  /// The vertical velocity of the centre, in pixels per frame, positive downwards.
  public var velocityY: Double
  /// The index of the class of most of the last detections, weighted by their scores; nil without classes.
  public var classIndex: Int?
  /// The score of the last detection, 0…1.
  public var score: Double
  /// The number of matched detections, including the first.
  public var hits: Int
  /// The number of frames since it was first seen.
  public var age: Int
  /// The number of frames since it was last matched with a detection; 0 if in the last frame.
  public var framesSinceSeen: Int
}

/// The state of an object in a tracker.
public enum TrackState: String, Sendable, Hashable, Codable {
  /// Seen too few times to have an identity; forgotten after one frame without it.
  case tentative
  /// The object has an identity and was seen in the last frame of detections.
  case tracked
  /// The object has an identity and was not seen in the last frame of detections; it may reappear.
  case lost
}
