// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaImage

extension UIImage {
  /// Encodes the image as a JPEG file, its pixels rotated upright.
  ///
  /// UIKit keeps the stored pixels and writes their orientation as metadata; a program that ignores it shows
  /// the image sideways. Upright pixels need no orientation, so nothing is lost.
  /// - Parameter compressionQuality: 0…1; higher values make larger files with fewer artefacts. Values
  ///   outside are clamped, and NaN counts as 0.
  /// - Returns: nil if the image cannot be decoded, or a side is longer than 65,535 pixels.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    let quality = compressionQuality > 0 ? min(compressionQuality, 1) * 100 : 1
    return encoded(as: .jpeg, quality: Int(quality.rounded()))
  }

  /// Encodes the image as a lossless PNG file, its pixels rotated upright; transparent parts are filled.
  /// - Returns: nil if the image cannot be decoded.
  public func pngData() -> Data? { encoded(as: .png, quality: 100) }

  private func encoded(as format: ImageFormat, quality: Int) -> Data? {
    guard let canvas = try? uprightPixels().canvas(),
      let bytes = try? canvas.encoded(as: format, quality: quality)
    else { return nil }
    return Data(bytes)
  }

  /// Returns the pixels with the rotation that makes them upright, decoded at full size.
  /// - Throws: `ImageError` if the file is damaged or truncated, or memory is exhausted.
  package func uprightPixels() throws(ImageError) -> PixelBuffer {
    var pixels = try image.pixels()
    pixels.orientation = imageOrientation.orientation
    return pixels
  }
}
