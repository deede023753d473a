// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One box of a recorded track.
public struct RecordedBox: Sendable, Hashable {
  /// The number of the frame.
  public var frame: Int
  /// The identity of the object.
  public var identity: Int
  /// Where the object is, in pixels of the frame.
  public var box: BoundingBox
  /// How sure the detector was, 0…1.
  public var score: Double
  /// The index of its class; nil where there are no classes.
  public var classIndex: Int?
  /// Whether the box was put between two others, where no one saw the object.
  public var isInterpolated: Bool

  /// Makes a box.
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
