// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// A frame with its objects, which are delivered together so that a box is always drawn on the image it
/// belongs to.
public struct TrackedFrame: Sendable {
  /// The frame.
  public var frame: VideoFrame
  /// The visible objects, with their identities (`DetectedObject.trackingID`), boxes in pixels of the
  /// unrotated frame.
  ///
  /// On frames without detection, the objects that could be followed in the image.
  public var objects: [DetectedObject]
  /// The identities that can still return, including those not visible in this frame; nil if unknown.
  ///
  /// `ZoneCounter` and `LineCounter` forget all others.
  public var knownIdentities: [Int]?
  /// Whether the detector processed this frame; otherwise the boxes moved with the image.
  public var isDetected: Bool
  /// The objects as the detector found them, also those without an identity; empty if it did not run.
  package var found: [DetectedObject] = []
  /// False for a frame without motion that was skipped: the objects are where they were.
  package var isWatched = true
  /// The time that each stage took; zero for the detector's stages if it did not run.
  public var timings: StageTimings
  /// The time that tracking took, without the detector.
  public var tracking: Duration

  /// The number of the frame in its sequence.
  public var number: Int { frame.number }

  /// The time at which the frame was taken, in seconds since a fixed but arbitrary moment.
  public var seconds: Double { frame.seconds }

  /// The pixels of the frame.
  public var image: PixelBuffer { frame.pixels }

  /// The size of the unrotated frame, in pixels.
  public var size: PixelSize { frame.pixels.size }

  /// Creates a frame with its objects.
  package init(
    frame: VideoFrame, objects: [DetectedObject], isDetected: Bool, timings: StageTimings = StageTimings(),
    tracking: Duration = .zero
  ) {
    self.frame = frame
    self.objects = objects
    self.isDetected = isDetected
    self.timings = timings
    self.tracking = tracking
  }
}
