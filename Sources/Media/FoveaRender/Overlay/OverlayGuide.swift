// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A line or a zone at which objects are counted, to draw on an image.
public struct OverlayGuide: Sendable, Hashable {
  /// The geometry of a guide, in pixels of the upright canvas.
  public enum Shape: Sendable, Hashable {
    /// A line from one point to another; an arrow in its middle points to its right side, the way that counts as in.
    case line(from: PixelPoint, to: PixelPoint)
    /// A polygon of three corners or more; the last is joined to the first.
    case zone([PixelPoint])
  }

  /// Where it is.
  public var shape: Shape
  /// What its chip says, for example "in 3 · out 1"; no chip is drawn for an empty caption.
  public var caption: String
  /// The colour, white by default, which no object has.
  public var color: RGBColor

  /// Makes a guide.
  public init(shape: Shape, caption: String = "", color: RGBColor = .white) {
    self.shape = shape
    self.caption = caption
    self.color = color
  }

  /// The points of the shape, in order.
  var points: [PixelPoint] {
    switch shape {
    case .line(let start, let end): [start, end]
    case .zone(let corners): corners
    }
  }

  /// Whether there is something to show: enough points, each a number that Cairo can draw to, and at least two of them
  /// apart.
  var isDrawable: Bool {
    let points = self.points
    let least = if case .zone = shape { 3 } else { 2 }
    let limit = Double(CairoPainter.maxDimension)
    return points.count >= least && points.allSatisfy { abs($0.x) <= limit && abs($0.y) <= limit }
      && points.contains { $0 != points[0] }
  }
}
