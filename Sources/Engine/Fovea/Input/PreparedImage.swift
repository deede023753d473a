// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
import FoveaImage

/// An image that was opened and decoded once, at the size that one detector or labeler needs.
///
/// Saves decoding where the same image is asked about several times, for instance for several regions.
public struct PreparedImage: Sendable {
  let opened: OpenedImage
  let decoded: DecodedImage

  /// The size of the stored image, in pixels.
  public var size: PixelSize { opened.size }
  /// The size at which it is held in memory; smaller than `size` for a JPEG decoded at reduced size.
  public var decodedSize: PixelSize { decoded.size }
}
