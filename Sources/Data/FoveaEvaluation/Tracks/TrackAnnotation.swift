// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One box of one frame as in the files of MOT Challenge and KITTI: a detection, an object of the ground
/// truth, or a tracker's result.
public struct TrackAnnotation: Sendable, Hashable {
  /// The object's identity, at least 0; negative for a detection, which has none.
  public var identity: Int
  /// The box in pixels of the frame, which may reach beyond it.
  public var box: BoundingBox
  /// The score of the detector or tracker.
  ///
  /// In MOT's ground truth it is the seventh column: 0 marks a box that does not count, 1 all others.
  public var score: Double
  /// The class number in the format; -1 if not stated.
  ///
  /// MOT: 1 is a pedestrian, 2 to 13 are other things. KITTI: see ``KITTIClass``.
  public var classID: Int
  /// The visible share of the object, 0…1; 1 if not stated.
  ///
  /// MOT's ground truth has it.
  public var visibility: Double
  /// The occlusion: 0 none, 1 partly, 2 largely, 3 unknown; negative if not stated.
  ///
  /// KITTI's ground truth has it.
  public var occlusion: Int
  /// The truncation by the image's border: 0 none, 1 partly, 2 mostly; negative if not stated.
  ///
  /// KITTI's ground truth has it.
  public var truncation: Int
  /// The position of the labels of a detection among those of its file; negative if it has none.
  package var labelPosition = -1

  /// Creates an annotation.
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
