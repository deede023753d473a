// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A counting line or zone to draw on an image.
public struct OverlayCounter: Sendable, Hashable {
  /// The geometry of a line or zone, in pixels of the upright canvas.
  public enum Shape: Sendable, Hashable {
    /// A line between two points; an arrow in its middle points to the right side, the direction counted as
    /// in.
    case line(from: PixelPoint, to: PixelPoint)
    /// A polygon with three or more corners; the last is connected to the first.
    case zone([PixelPoint])
  }

  /// The geometry.
  public var shape: Shape
  /// The text of the chip, for example "in 3 · out 1"; an empty caption draws no chip.
  public var caption: String
  /// The colour; white by default, which objects never have.
  public var color: RGBColor

  /// Creates a line or zone.
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

  /// Whether the shape can be drawn: enough points, all within Cairo's range, and not all identical.
  var isDrawable: Bool {
    let points = self.points
    let least = if case .zone = shape { 3 } else { 2 }
    let limit = Double(CairoPainter.maxDimension)
    return points.count >= least && points.allSatisfy { abs($0.x) <= limit && abs($0.y) <= limit }
      && points.contains { $0 != points[0] }
  }
}

/// The former name of ``OverlayCounter``.
@available(*, deprecated, renamed: "OverlayCounter")
public typealias OverlayGuide = OverlayCounter
