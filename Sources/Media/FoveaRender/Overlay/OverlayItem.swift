// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One object to draw on an image: its box, shape, keypoints, caption, colour and trail.
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
  /// The keypoints of the object, in pixels of the upright canvas; empty by default.
  public var keypoints: [PixelPoint]
  /// The probability of each keypoint to be visible; those below
  /// ``OverlayStyle/keypointThreshold`` are not drawn.
  ///
  /// Empty, the default, draws all.
  public var keypointScores: [Float]
  /// The lines between the keypoints, and their sides of the body, which are drawn in three tones; nil, the
  /// default, draws only points.
  public var keypointSet: KeypointSet?

  /// Creates an item.
  public init(
    box: BoundingBox, caption: String, colorKey: String, identity: Int? = nil, trail: [PixelPoint] = [],
    mask: ObjectMask? = nil, orientedBox: OrientedBox? = nil, keypoints: [PixelPoint] = [],
    keypointScores: [Float] = [], keypointSet: KeypointSet? = nil
  ) {
    self.box = box
    self.caption = caption
    self.colorKey = colorKey
    self.identity = identity
    self.trail = trail
    self.mask = mask
    self.orientedBox = orientedBox
    self.keypoints = keypoints
    self.keypointScores = keypointScores
    self.keypointSet = keypointSet
  }

  /// The colour of the box, shape, chip and trail.
  var color: RGBColor {
    identity.map { IdentityPalette.color(for: $0) } ?? ClassPalette.color(for: colorKey)
  }
}
