// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One box of a recorded track.
public struct RecordedBox: Sendable, Hashable {
  /// The frame number.
  public var frame: Int
  /// The identity of the object.
  public var identity: Int
  /// The box in pixels of the frame.
  public var box: BoundingBox
  /// The score, 0…1.
  public var score: Double
  /// The index of the class; nil if there are no classes.
  public var classIndex: Int?
  /// Whether the box was interpolated between two others, in a frame without a detection of the object.
  public var isInterpolated: Bool

  /// Creates a box.
  public init(
    frame: Int, identity: Int, box: BoundingBox, score: Double = 1, classIndex: Int? = nil,
    isInterpolated: Bool = false
  ) {
    self.frame = frame
    self.identity = identity
    self.box = box
    self.score = score
    self.classIndex = classIndex
    self.isInterpolated = isInterpolated
  }
}
