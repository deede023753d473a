// SPDX-License-Identifier: Apache-2.0

public import Fovea
public import FoveaGeometry
package import FoveaTracking

/// One frame of a video with its objects, as every track format writes it.
public struct FrameRecord: Sendable, Hashable {
  /// The source, as the user named it.
  public var source: String
  /// The number of the frame, from 1.
  public var number: Int
  /// The time of the frame in seconds from the first one; nil if only detections and no frame rate are known.
  public var seconds: Double?
  /// The frame's size in `space`; nil if only detections are known.
  public var size: PixelSize?
  /// The rotation that makes the stored frame upright.
  public var orientation = Orientation.up
  /// The pixels that boxes refer to.
  public var space = DetectionRecord.Findings.Space.stored
  /// The visible objects with their identities.
  public var objects: [DetectedObject]
  /// Whether the detector ran on this frame.
  public var isDetected = true
  /// False for a frame without motion that was skipped: the objects are where they were.
  package var isWatched = true
  /// The time of each stage.
  public var timings = StageTimings()
  /// The time spent following the objects.
  public var tracking: Duration = .zero
  /// The counts at lines and zones so far; nil if nothing is counted.
  public var counts: CountTable?
  /// The objects' places on the ground by identity, as far as they are known; nil if they are not measured.
  package var ground: [Int: GroundMotion.Sight]?

  /// Creates a record.
  public init(
    source: String, number: Int, seconds: Double? = nil, size: PixelSize? = nil,
    orientation: Orientation = .up,
    objects: [DetectedObject], isDetected: Bool = true, timings: StageTimings = StageTimings(),
    tracking: Duration = .zero
  ) {
    self.source = source
    self.number = number
    self.seconds = seconds
    self.size = size
    self.orientation = orientation
    self.objects = objects
    self.isDetected = isDetected
    self.timings = timings
    self.tracking = tracking
  }

  /// Creates a record of a tracked frame; `source` is the name of its video in results.
  public init(_ frame: TrackedFrame, source: String) {
    self.init(
      source: source, number: frame.number, seconds: frame.seconds, size: frame.size,
      orientation: frame.image.orientation, objects: frame.objects, isDetected: frame.isDetected,
      timings: frame.timings, tracking: frame.tracking)
    isWatched = frame.isWatched
  }

  /// Returns the same record with boxes and size in pixels of the upright frame.
  public func upright() -> FrameRecord {
    guard space == .stored, let size else { return self }
    var upright = self
    upright.space = .upright
    upright.size = orientation.uprightSize(ofStored: size)
    for index in upright.objects.indices {
      upright.objects[index] = objects[index].upright(orientation, stored: size)
    }
    return upright
  }
}
