// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// An object as a tracker knows it now, whether the last frame showed it or not.
public struct Track: Sendable, Hashable {
  /// The identity; nil while the object is tentative.
  public var identity: Int?
  /// How sure the tracker is of the object.
  public var state: TrackState
  /// Where the object is, or is thought to be, in pixels of the last frame.
  public var box: BoundingBox
  /// How far its centre moves to the right in one frame, in pixels.
  public var velocityX: Double
  /// How far its centre moves down in one frame, in pixels.
  public var velocityY: Double
  /// The index of the class that most of its last detections had, weighed by their scores; nil without classes.
  public var classIndex: Int?
  /// The score of its last detection, 0…1.
  public var score: Double
  /// How many detections it was matched with, the first included.
  public var hits: Int
  /// How many frames ago it was first seen.
  public var age: Int
  /// How many frames ago it was last matched with a detection; 0 for the last frame.
  public var framesSinceSeen: Int
}

/// How sure a tracker is of an object.
public enum TrackState: String, Sendable, Hashable, Codable {
  /// Seen too few times to have an identity; one frame without it, and it is forgotten.
  case tentative
  /// It has an identity and was seen in the last frame of detections.
  case tracked
  /// It has an identity and was not seen in the last frame of detections; it may come back.
  case lost
}
