// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A tracker, which follows objects from frame to frame by their boxes only.
///
/// A tracker is a value: copies are independent, and each assigns its own identities. The same input gives
/// the same output.
public protocol MultiObjectTracker: Sendable {
  /// The current objects; empty for a tracker that does not report them.
  var tracks: [Track] { get }

  /// The identities that can still reappear, including those not seen in the last frame; nil for a tracker
  /// that does not report them.
  var knownIdentities: [Int]? { get }

  /// Processes the detections of one frame.
  /// - Parameters:
  ///   - detections: The boxes, in any order.
  ///   - time: The time of the frame, later than in the previous call.
  ///   - cameraMotion: The motion of the image since the previous frame; nil if unknown.
  /// - Returns: One result per detection, in the same order.
  mutating func update(
    _ detections: [TrackingDetection], at time: FrameTime, cameraMotion: CameraMotion?
  ) -> [TrackedDetection]

  /// Processes a frame on which no detector ran; does nothing in trackers that need a detector on each.
  /// - Parameters:
  ///   - boxes: The boxes of objects that were moved with the image.
  ///   - time: The time of the frame.
  ///   - cameraMotion: The motion of the image since the previous frame; nil if unknown.
  mutating func move(_ boxes: [MovedBox], at time: FrameTime, cameraMotion: CameraMotion?)

  /// Forgets all objects and restarts with the first identity.
  mutating func reset()
}

extension MultiObjectTracker {
  /// Empty: most trackers do not report their objects.
  public var tracks: [Track] { [] }

  /// Nil: a custom tracker need not report them.
  public var knownIdentities: [Int]? { nil }

  /// Does nothing: most trackers need detections on every frame.
  public mutating func move(_ boxes: [MovedBox], at time: FrameTime, cameraMotion: CameraMotion?) {}

  /// Processes the detections of one frame from a camera with unknown motion.
  public mutating func update(_ detections: [TrackingDetection], at time: FrameTime) -> [TrackedDetection] {
    update(detections, at: time, cameraMotion: nil)
  }
}

/// The time of a frame.
public struct FrameTime: Sendable, Hashable {
  /// The number of the frame in its sequence; a missing number is a dropped frame.
  public var number: Int
  /// Seconds since a fixed but arbitrary moment; nil if only numbers are known.
  public var seconds: Double?

  /// Creates a time.
  public init(number: Int, seconds: Double? = nil) {
    self.number = number
    self.seconds = seconds
  }
}

/// The box of an object that was moved with the image, on a frame on which no detector ran.
public struct MovedBox: Sendable, Hashable {
  /// The identity of the object.
  public var identity: Int
  /// The current box, in pixels of the frame.
  public var box: BoundingBox

  /// Creates a box of an object.
  public init(identity: Int, box: BoundingBox) {
    self.identity = identity
    self.box = box
  }
}
