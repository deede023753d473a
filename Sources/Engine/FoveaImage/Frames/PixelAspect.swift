// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// How wide a pixel is next to its height when an image is shown: 1 to 1 but for some videos (DV, DVD, anamorphic film).
///
/// Detectors and boxes know nothing of it; it says how a player stretches the image.
public struct PixelAspect: Sendable, Hashable {
  /// The width, 1 or more.
  public let width: Int
  /// The height, 1 or more.
  public let height: Int

  /// Square pixels.
  public static let square = PixelAspect(width: 1, height: 1)

  /// Makes a ratio; if one of them is below 1, both become 1.
  public init(width: Int, height: Int) {
    let isUsable = width > 0 && height > 0
    self.width = isUsable ? width : 1
    self.height = isUsable ? height : 1
  }

  /// The ratio of the upright image.
  public func upright(_ orientation: Orientation) -> PixelAspect {
    orientation.isTransposed ? PixelAspect(width: height, height: width) : self
  }
}
