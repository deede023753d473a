// SPDX-License-Identifier: Apache-2.0

/// An axis-aligned rectangle in pixels: origin at the top left, x to the right, y down, max edges exclusive.
///
/// Unless a function states otherwise, the pixels are those of the unrotated input image, as stored in the
/// file. Edges are continuous: the box of the top-left pixel is (0, 0, 1, 1).
public struct BoundingBox: Sendable, Hashable, Codable {
  /// The left edge in pixels.
  public var minX: Double
  /// The top edge in pixels.
  public var minY: Double
  /// The right edge in pixels, exclusive.
  public var maxX: Double
  /// The bottom edge in pixels, exclusive.
  public var maxY: Double

  /// Creates a box from its four edges in pixels; edges are kept as given, even if they cross.
  public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// Creates a box from its top-left corner and its size in pixels.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }

  /// The right edge minus the left edge, in pixels; negative if the edges cross.
  public var width: Double { maxX - minX }
  /// The bottom edge minus the top edge, in pixels; negative if the edges cross.
  public var height: Double { maxY - minY }
  /// The horizontal centre in pixels.
  public var midX: Double { (minX + maxX) / 2 }
  /// The vertical centre in pixels.
  public var midY: Double { (minY + maxY) / 2 }

  /// Whether the box covers nothing: an edge is not a number, or width or height is zero or less.
  public var isEmpty: Bool { !(width > 0 && height > 0) }

  /// The covered area in square pixels; 0 for an empty box.
  public var area: Double { isEmpty ? 0 : width * height }

  /// Returns the part that both boxes cover; empty (zero width or height) if they do not overlap.
  public func intersection(_ other: BoundingBox) -> BoundingBox {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    return BoundingBox(
      minX: left, minY: top, maxX: max(left, min(maxX, other.maxX)), maxY: max(top, min(maxY, other.maxY)))
  }

  /// Returns the part of the box that lies inside an image of `size`.
  public func clamped(to size: PixelSize) -> BoundingBox {
    func clamp(_ value: Double, _ limit: Int) -> Double { min(max(value, 0), Double(limit)) }
    return BoundingBox(
      minX: clamp(minX, size.width), minY: clamp(minY, size.height),
      maxX: clamp(maxX, size.width), maxY: clamp(maxY, size.height))
  }

  /// Returns the box grown on each side by `fraction` of its width (left, right) and height (top, bottom).
  public func expanded(by fraction: Double) -> BoundingBox {
    let x = width * fraction
    let y = height * fraction
    return BoundingBox(minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y)
  }

  /// Returns the intersection over union, 0…1: the shared area divided by the area that both boxes cover
  /// together.
  ///
  /// 0 if the boxes only touch, or if either is empty or not a number.
  ///
  /// **Source:** Everingham et al., "The PASCAL Visual Object Classes Challenge", section 4.2.
  public func iou(with other: BoundingBox) -> Double {
    guard !isEmpty, !other.isEmpty else { return 0 }
    let shared = intersection(other).area
    guard shared > 0 else { return 0 }
    return shared / (area + other.area - shared)
  }
}

extension BoundingBox: CustomStringConvertible {
  /// "(minX, minY)–(maxX, maxY)", as in error messages.
  public var description: String { "(\(minX), \(minY))–(\(maxX), \(maxY))" }
}

extension BoundingBox {
  /// Returns the smallest box around points; an empty box if there are none.
  package static func enclosing(_ points: [PixelPoint]) -> BoundingBox {
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    return BoundingBox(
      minX: xs.min() ?? 0, minY: ys.min() ?? 0, maxX: xs.max() ?? 0, maxY: ys.max() ?? 0)
  }
}

/// The point that represents a box: on a trail, at a counting line, in a zone.
public enum BoxAnchor: Sendable, Hashable, CaseIterable {
  /// The middle of the lower edge: the point on the ground of a person or a car, seen from the side or from
  /// above.
  case bottomCenter
  /// The middle of the box: for objects seen from straight above, and for flying ones.
  case center

  /// Returns the point of a box, in the pixels of the box; not finite if an edge of the box is not.
  package func point(of box: BoundingBox) -> PixelPoint {
    PixelPoint(x: box.midX, y: self == .center ? box.midY : box.maxY)
  }
}
