// SPDX-License-Identifier: Apache-2.0

package import AppleShims
package import Foundation
import Fovea
import FoveaGeometry
import FoveaImage

extension VisionPicture.Source {
  /// What a `UIImage` shows.
  package init(_ image: UIImage) {
    if let picture = image.cgImage { self = .image(picture) } else { self = .failed(.noCGImage) }
  }

  /// What a sample buffer shows.
  package init(_ buffer: CMSampleBuffer) {
    if let picture = buffer.imageBuffer { self = .buffer(picture) } else { self = .failed(.noImageBuffer) }
  }

  /// The bytes of a picture file.
  package init(data: Data) {
    self.init { () throws(ImageError) in try EncodedImage(bytes: [UInt8](data), name: "image data") }
  }

  /// A picture file.
  package init(contentsOf url: URL) {
    guard url.isFileURL else {
      self = .failed(
        MLError(
          .invalidArgument, "'\(url.absoluteString)' is not the address of a file",
          remedy: "Download the picture, and give its data"))
      return
    }
    self.init { () throws(ImageError) in try EncodedImage(path: url.path) }
  }

  /// Red, green and blue, a byte each, rows from the top without gaps.
  package init(rgb: Data, width: Int, height: Int) {
    do throws(ImageError) {
      let layout = try PixelLayout(.rgb, size: PixelSize(width: width, height: height))
      self = .pixels(try PixelBuffer(layout, bytes: [UInt8](rgb)))
    } catch {
      self = .failed(MLError(FoveaError(error)))
    }
  }

  private init(_ open: () throws(ImageError) -> EncodedImage) {
    do throws(ImageError) {
      self = .encoded(try open())
    } catch {
      self = .failed(MLError(FoveaError(error)))
    }
  }

  /// How a picture file says that its pixels must be turned; `up` for what says nothing.
  package var storedOrientation: UIImage.Orientation {
    if case .encoded(let image) = self { UIImage.Orientation(image.orientation) } else { .up }
  }
}
