// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The movement of a box from one image to the next.
public struct BoxMovement: Sendable, Hashable {
  /// The box in the new image, in pixels of the stored image; its previous position if it is lost.
  ///
  /// Its size never changes: on the clips in the tests, sizes derived from the points make boxes worse.
  public var box: BoundingBox
  /// The shift to the right, in pixels; 0 if the box is lost.
  public var dx: Double
  /// The shift down, in pixels; 0 if the box is lost.
  public var dy: Double
  /// The number of points that agree on the shift, at least 4; 0 if the box is lost.
  package var pointCount: Int

  /// Creates a movement.
  package init(box: BoundingBox, dx: Double, dy: Double, pointCount: Int) {
    self.box = box
    self.dx = dx
    self.dy = dy
    self.pointCount = pointCount
  }

  /// Whether the box was not found: it has too little texture, too few points agree, or no part of it is in
  /// the image.
  public var isLost: Bool { pointCount == 0 }

  static func lost(_ box: BoundingBox) -> BoxMovement { BoxMovement(box: box, dx: 0, dy: 0, pointCount: 0) }

  init(_ box: BoundingBox, by shift: SIMD2<Double>, pointCount: Int) {
    self.init(
      box: BoundingBox(
        minX: box.minX + shift.x, minY: box.minY + shift.y, maxX: box.maxX + shift.x, maxY: box.maxY + shift.y
      ),
      dx: shift.x, dy: shift.y, pointCount: pointCount)
  }
}
