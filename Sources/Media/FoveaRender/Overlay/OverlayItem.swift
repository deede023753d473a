// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One object to draw on an image: its box, caption, colour and trail.
public struct OverlayItem: Sendable, Hashable {
  /// The box of the object, in pixels of the upright canvas; edges may lie outside the canvas.
  public var box: BoundingBox
  /// The text of the chip, for example "Home good 0.83"; an empty caption draws no chip.
  public var caption: String
  /// The class name, which sets the colour if there is no identity; empty for an object without a class.
  public var colorKey: String
  /// The identity of a tracked object, which sets the colour (`IdentityPalette`); nil, the default, for none.
  public var identity: Int?
  /// Earlier positions of the object, in pixels of the upright canvas, the oldest first; empty by default.
  ///
  /// Non-finite points are skipped. `TrailHistory` collects trails.
  public var trail: [PixelPoint]

  /// Creates an item.
  public init(
    box: BoundingBox, caption: String, colorKey: String, identity: Int? = nil, trail: [PixelPoint] = []
  ) {
    self.box = box
    self.caption = caption
    self.colorKey = colorKey
    self.identity = identity
    self.trail = trail
  }

  /// The colour of the box, chip and trail.
  var color: RGBColor {
    identity.map { IdentityPalette.color(for: $0) } ?? ClassPalette.color(for: colorKey)
  }
}
