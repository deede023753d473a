// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Follows objects from frame to frame by their boxes alone.
///
/// A tracker is a value: a copy goes its own way, and identities come from the instance. The same input gives the same
/// output.
public protocol MultiObjectTracker: Sendable {
  /// The objects that are known now; empty for a tracker that does not report them.
  var tracks: [Track] { get }

  /// The identities that can still come back, those that the last frame did not show included; nil for a tracker that does
  /// not report them.
  var knownIdentities: [Int]? { get }

  /// Takes the detections of one frame.
  /// - Parameters:
  ///   - detections: The boxes, in any order.
  ///   - time: When the frame was taken; later than that of the call before.
  ///   - cameraMotion: Where the image of the frame before went; nil where it is not known.
  /// - Returns: One answer for each detection, in the same order.
  mutating func update(
    _ detections: [TrackingDetection], at time: FrameTime, cameraMotion: CameraMotion?
  ) -> [TrackedDetection]

  /// Takes a frame on which no detector ran; a tracker that needs detections on every frame does nothing.
  /// - Parameters:
  ///   - boxes: Where objects went with the image.
  ///   - time: When the frame was taken.
  ///   - cameraMotion: Where the image of the frame before went; nil where it is not known.
  mutating func move(_ boxes: [MovedBox], at time: FrameTime, cameraMotion: CameraMotion?)

  /// Forgets every object and begins with the first identity again.
  mutating func reset()
}

extension MultiObjectTracker {
  /// Empty: most trackers do not report them.
  public var tracks: [Track] { [] }

  /// Nil: a tracker of one's own need not report them.
  public var knownIdentities: [Int]? { nil }

  /// Does nothing: most trackers need detections on every frame.
  public mutating func move(_ boxes: [MovedBox], at time: FrameTime, cameraMotion: CameraMotion?) {}

  /// Takes the detections of one frame of a camera whose motion is not known.
  public mutating func update(_ detections: [TrackingDetection], at time: FrameTime) -> [TrackedDetection] {
    update(detections, at: time, cameraMotion: nil)
  }
}

/// When a frame was taken.
public struct FrameTime: Sendable, Hashable {
  /// The number of the frame in its sequence; a number that is left out is a frame that was dropped.
  public var number: Int
  /// Seconds since any fixed moment; nil where only numbers are known.
  public var seconds: Double?

  /// Makes a time.
  public init(number: Int, seconds: Double? = nil) {
    self.number = number
    self.seconds = seconds
  }
}

/// Where an object went with the image, on a frame on which no detector ran.
public struct MovedBox: Sendable, Hashable {
  /// The identity of the object.
  public var identity: Int
  /// Where it is now, in pixels of the frame.
  public var box: BoundingBox

  /// Makes a box of an object.
  public init(identity: Int, box: BoundingBox) {
    self.identity = identity
    self.box = box
  }
}
