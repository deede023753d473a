// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One box of one frame, as the files of MOT Challenge and KITTI have it: a detection, an object of the ground
/// truth, or what a tracker says.
public struct TrackAnnotation: Sendable, Hashable {
  /// The object's identity, 0 or more; negative for a detection, which has none.
  public var identity: Int
  /// The box in pixels of the frame, which may reach beyond it.
  public var box: BoundingBox
  /// The detector's or the tracker's confidence.
  ///
  /// In MOT's ground truth it is the seventh column: 0 marks a box that does not count, 1 all others.
  public var score: Double
  /// The class as the format numbers it, -1 where it is not said.
  ///
  /// MOT: 1 is a pedestrian, 2 to 13 are other things. KITTI: see ``KITTIClass``.
  public var classID: Int
  /// How much of the object can be seen, 0…1; 1 where it is not said.
  ///
  /// MOT's ground truth has it.
  public var visibility: Double
  /// How far the object is hidden: 0 not at all, 1 partly, 2 largely, 3 unknown; negative where it is not said.
  ///
  /// KITTI's ground truth has it.
  public var occlusion: Int
  /// How far the object leaves the image: 0 not at all, 1 partly, 2 mostly; negative where it is not said.
  ///
  /// KITTI's ground truth has it.
  public var truncation: Int

  /// Makes an annotation.
  public init(
    identity: Int, box: BoundingBox, score: Double = 1, classID: Int = -1, visibility: Double = 1,
    occlusion: Int = 0, truncation: Int = 0
  ) {
    self.identity = identity
    self.box = box
    self.score = score
    self.classID = classID
    self.visibility = visibility
    self.occlusion = occlusion
    self.truncation = truncation
  }
}
