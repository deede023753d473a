// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One object to draw on an image: where it is, what to write, which colour it has, and where it came from.
public struct OverlayItem: Sendable, Hashable {
  /// Where the object is, in pixels of the upright canvas; edges may lie outside the canvas.
  public var box: BoundingBox
  /// What the chip says, for example "Home good 0.83"; no chip is drawn for an empty caption.
  public var caption: String
  /// The class name, which chooses the colour where there is no identity; empty for an object without a class.
  public var colorKey: String
  /// The identity of a tracked object, which chooses the colour (`IdentityPalette`); nil, the default, leaves it to the
  /// class.
  public var identity: Int?
  /// Where the object was, in pixels of the upright canvas, the oldest point first; empty, the default, draws no trail.
  ///
  /// Points that are not finite are left out. `TrailHistory` collects them.
  public var trail: [PixelPoint]

  /// Makes an item.
  public init(
    box: BoundingBox, caption: String, colorKey: String, identity: Int? = nil, trail: [PixelPoint] = []
  ) {
    self.box = box
    self.caption = caption
    self.colorKey = colorKey
    self.identity = identity
    self.trail = trail
  }

  /// The colour of box, chip and trail.
  var color: RGBColor {
    identity.map { IdentityPalette.color(for: $0) } ?? ClassPalette.color(for: colorKey)
  }
}
