// SPDX-License-Identifier: Apache-2.0

package import AppleShims
import Foundation
import Fovea
import FoveaGeometry
import FoveaImage

extension VisionInput.Source {
  /// Creates a source from a `UIImage`.
  package init(_ image: UIImage) {
    if let bitmap = image.cgImage { self = .image(bitmap) } else { self = .failed(.noCGImage) }
  }

  /// Creates a source from a sample buffer.
  package init(_ buffer: CMSampleBuffer) {
    guard buffer.isValid, let pixels = buffer.imageBuffer else {
      self = .failed(.noImageBuffer)
      return
    }
    self = .buffer(pixels)
  }

  /// Creates a source from red, green and blue, a byte each, rows from the top without gaps.
  package init(rgb: Data, width: Int, height: Int) {
    do throws(ImageError) {
      let layout = try PixelLayout(.rgb, size: PixelSize(width: width, height: height))
      self = .pixels(try PixelBuffer(layout, bytes: [UInt8](rgb)))
    } catch {
      self = .failed(MLError(FoveaError(error)))
    }
  }
}
