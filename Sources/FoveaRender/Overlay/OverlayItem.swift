// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One object to draw on a picture: where it is, what to write, and which colour it has.
public struct OverlayItem: Sendable, Hashable {
  /// Where the object is, in pixels of the upright canvas; edges may lie outside the canvas.
  public var box: BoundingBox
  /// What the chip says, for example "Home good 0.83"; no chip is drawn for an empty caption.
  public var caption: String
  /// The class name, which chooses the colour; empty for an object without a class.
  public var colorKey: String

  /// Makes an item.
  public init(box: BoundingBox, caption: String, colorKey: String) {
    self.box = box
    self.caption = caption
    self.colorKey = colorKey
  }
}
