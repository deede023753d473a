// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// A frame and what is in it: the two leave together, so that a box is always drawn on the image it belongs to.
public struct TrackedFrame: Sendable {
  /// The frame.
  public var frame: VideoFrame
  /// The objects that were seen, with their identities (`DetectedObject.trackingID`), boxes in pixels of the unrotated frame.
  ///
  /// On frames on which the detector did not run, those that the image let follow.
  public var objects: [DetectedObject]
  /// The identities that can still come back, those that were not seen in this frame included; nil where that is not known.
  ///
  /// `ZoneCounter` and `LineCounter` forget all others.
  public var knownIdentities: [Int]?
  /// Whether the detector processed this frame; otherwise the boxes moved with the image.
  public var isDetected: Bool
  /// How long each stage took; the detector's stages are zero where it did not run.
  public var timings: StageTimings
  /// How long following the objects took, without the detector.
  public var tracking: Duration

  /// The number of the frame in its sequence.
  public var number: Int { frame.number }

  /// When the frame was taken, in seconds since any fixed moment.
  public var seconds: Double { frame.seconds }

  /// The pixels of the frame.
  public var image: PixelBuffer { frame.pixels }

  /// The size of the unrotated frame, in pixels.
  public var size: PixelSize { frame.pixels.size }

  /// Makes a frame with its objects.
  public init(
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
