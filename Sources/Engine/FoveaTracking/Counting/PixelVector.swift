// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The step from one point to another, in pixels.
struct PixelVector {
  var x: Double
  var y: Double

  /// How long the step is.
  var length: Double { (x * x + y * y).squareRoot() }

  func dot(_ other: PixelVector) -> Double { x * other.x + y * other.y }

  /// Twice the area of the triangle that the two span; positive where `other` points to the right of this one in a
  /// image, whose y runs down.
  func cross(_ other: PixelVector) -> Double { x * other.y - y * other.x }
}

extension PixelPoint {
  static func - (end: PixelPoint, start: PixelPoint) -> PixelVector {
    PixelVector(x: end.x - start.x, y: end.y - start.y)
  }
}
