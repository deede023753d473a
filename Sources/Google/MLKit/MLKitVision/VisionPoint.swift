// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A point of an image, in pixels.
public class VisionPoint: NSObject {
  /// The distance from the left edge in pixels.
  public let x: CGFloat
  /// The distance from the top edge in pixels.
  public let y: CGFloat

  /// Creates a point.
  package init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }
}
