// SPDX-License-Identifier: Apache-2.0

public import Fovea
public import FoveaGeometry

/// One frame of a video with its objects, as every format of tracks writes it.
public struct FrameRecord: Sendable, Hashable {
  /// The source, as the user named it.
  public var source: String
  /// The number of the frame, from 1.
  public var number: Int
  /// When the frame is shown, from the first one; nil where only detections are known and no frame rate.
  public var seconds: Double?
  /// The frame's size in `space`; nil where only detections are known.
  public var size: PixelSize?
  /// How the stored frame must be rotated to be upright.
  public var orientation = Orientation.up
  /// The pixels that boxes refer to.
  public var space = DetectionRecord.Findings.Space.stored
  /// The objects that were seen, with their identities.
  public var objects: [DetectedObject]
  /// Whether the detector ran on this frame.
  public var isDetected = true
  /// How long each stage took.
  public var timings = StageTimings()
  /// How long following the objects took.
  public var tracking: Duration = .zero
  /// How often lines were crossed and zones entered so far; nil where nothing is counted.
  public var counts: CountTable?

  /// Makes a record.
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

  /// What a tracked frame holds; `source` is what results call its video.
  public init(_ frame: TrackedFrame, source: String) {
    self.init(
      source: source, number: frame.number, seconds: frame.seconds, size: frame.size,
      orientation: frame.image.orientation, objects: frame.objects, isDetected: frame.isDetected,
      timings: frame.timings, tracking: frame.tracking)
  }

  /// The same with boxes and size in pixels of the upright frame.
  public func upright() -> FrameRecord {
    guard space == .stored, let size else { return self }
    var turned = self
    turned.space = .upright
    turned.size = orientation.uprightSize(ofStored: size)
    for index in turned.objects.indices {
      turned.objects[index] = objects[index].upright(orientation, stored: size)
    }
    return turned
  }
}
