// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A point of an image with a depth.
public final class Vision3DPoint: VisionPoint {
  /// The depth, in the unit of `x` and `y`.
  public let z: CGFloat

  /// Creates a point.
  package init(x: CGFloat, y: CGFloat, z: CGFloat) {
    self.z = z
    super.init(x: x, y: y)
  }
}
