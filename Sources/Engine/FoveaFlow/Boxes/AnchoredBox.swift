// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A box in the image before, and where a detector found it in an earlier one.
public struct AnchoredBox: Sendable, Hashable {
  /// The box in the image before, in pixels of the stored image.
  public var box: BoundingBox
  /// The box in the image of the detector, in pixels of the stored image; of the same size as `box`.
  public var anchor: BoundingBox

  /// Makes an anchored box.
  public init(box: BoundingBox, anchor: BoundingBox) {
    self.box = box
    self.anchor = anchor
  }
}
