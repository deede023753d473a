// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One object to draw on an image: its box, shape, caption, colour and trail.
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
  /// The shape of the object, in pixels of the upright canvas; nil, the default, for none.
  ///
  /// It is filled with 40 % of the colour, and its box has a thin line.
  public var mask: ObjectMask?
  /// The rotated box of the object, in pixels of the upright canvas; nil, the default, for none.
  ///
  /// It is drawn in place of ``box``.
  public var orientedBox: OrientedBox?

  /// Creates an item.
  public init(
    box: BoundingBox, caption: String, colorKey: String, identity: Int? = nil, trail: [PixelPoint] = [],
    mask: ObjectMask? = nil, orientedBox: OrientedBox? = nil
  ) {
    self.box = box
    self.caption = caption
    self.colorKey = colorKey
    self.identity = identity
    self.trail = trail
    self.mask = mask
    self.orientedBox = orientedBox
  }

  /// The colour of the box, shape, chip and trail.
  var color: RGBColor {
    identity.map { IdentityPalette.color(for: $0) } ?? ClassPalette.color(for: colorKey)
  }
}
