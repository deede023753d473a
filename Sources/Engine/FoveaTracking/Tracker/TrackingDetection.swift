// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A box that a detector found in one frame.
public struct TrackingDetection: Sendable, Hashable {
  /// Where it is, in pixels of the frame.
  public var box: BoundingBox
  /// How sure the detector is, 0…1.
  public var score: Double
  /// The index of its class; nil where there are no classes.
  public var classIndex: Int?

  /// Makes a detection.
  public init(box: BoundingBox, score: Double, classIndex: Int? = nil) {
    self.box = box
    self.score = score
    self.classIndex = classIndex
  }
}
