// SPDX-License-Identifier: Apache-2.0

/// The point that stands for a box where a box must be one point: on a trail, at a counting line, in a zone.
public enum BoxAnchor: Sendable, Hashable, CaseIterable {
  /// The middle of the lower edge: where a person or a car stands on the ground, seen from the side or from above.
  case bottomCenter
  /// The middle of the box: for things seen from straight above, and for things that fly.
  case center

  /// The point of a box, in the pixels that the box is in; not finite where an edge of the box is not.
  public func point(of box: BoundingBox) -> PixelPoint {
    PixelPoint(x: box.midX, y: self == .center ? box.midY : box.maxY)
  }
}
