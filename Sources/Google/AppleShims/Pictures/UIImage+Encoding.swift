// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaImage

extension UIImage {
  /// The image as a JPEG file, its pixels rotated upright.
  ///
  /// UIKit keeps the stored pixels and writes their orientation next to them; a program that ignores it shows the image
  /// on its side. Upright pixels need no orientation, so nothing is lost.
  /// - Parameter compressionQuality: 0…1; raising it makes larger files with fewer artefacts. Values beyond, and what is
  ///   no number, are taken as the nearest.
  /// - Returns: nil where the image cannot be decoded, or a side is longer than 65,535 pixels.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    let quality = compressionQuality > 0 ? min(compressionQuality, 1) * 100 : 1
    return encoded(as: .jpeg, quality: Int(quality.rounded()))
  }

  /// The image as a PNG file, its pixels rotated upright, without loss; transparent parts are filled.
  /// - Returns: nil where the image cannot be decoded.
  public func pngData() -> Data? { encoded(as: .png, quality: 100) }

  private func encoded(as format: ImageFormat, quality: Int) -> Data? {
    guard let canvas = try? uprightPixels().canvas(),
      let bytes = try? canvas.encoded(as: format, quality: quality)
    else { return nil }
    return Data(bytes)
  }

  /// The pixels with the turn that makes them upright, decoded at full size.
  /// - Throws: `ImageError` when the file is damaged or cut off, or there is no memory.
  package func uprightPixels() throws(ImageError) -> PixelBuffer {
    var pixels = try image.pixels()
    pixels.orientation = imageOrientation.orientation
    return pixels
  }
}
