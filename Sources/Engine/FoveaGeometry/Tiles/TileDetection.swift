// SPDX-License-Identifier: Apache-2.0

/// A box that a detector found in one tile of an image.
public struct TileDetection: Sendable, Hashable {
  /// Where, in pixels of the image.
  public var box: BoundingBox
  /// How sure the detector is, 0…1.
  public var score: Float
  /// The class, from 0; nil for a detector of one class.
  public var classIndex: Int?
  /// The tile that showed it, an index of `TileLayout.tiles`; 0 is the whole region.
  public var tile: Int
  /// The places that the detector names on the object, in pixels of the image and in the detector's order.
  ///
  /// Where detections are merged, those of the surest one count.
  public var keypoints: [PixelPoint]

  /// Makes a detection.
  public init(
    box: BoundingBox, score: Float, classIndex: Int?, tile: Int = 0, keypoints: [PixelPoint] = []
  ) {
    self.box = box
    self.score = score
    self.classIndex = classIndex
    self.tile = tile
    self.keypoints = keypoints
  }
}
