// SPDX-License-Identifier: Apache-2.0

package import AppleShims
import Foundation
import Fovea
import FoveaImage

/// An image file whose header was read, or the error of reading it.
package struct VisionFile {
  /// The image, or the error.
  package let source: VisionInput.Source
  /// The rotation that makes the pixels upright, as the file declares it.
  package let orientation: UIImage.Orientation

  /// Creates an image file from its bytes.
  package init(data: Data) { self.init { () throws(ImageError) in try UIImage.open(data: data) } }

  /// Creates an image file from its URL; only file URLs are accepted, since nothing is downloaded.
  package init(contentsOf url: URL) {
    self.init { () throws(ImageError) in
      guard url.isFileURL else {
        throw ImageError(
          .networkAddress, "the address is not a file URL",
          remedy: "Download the image and pass its data", subject: url.absoluteString)
      }
      return try UIImage.open(path: url.path)
    }
  }

  private init(_ open: () throws(ImageError) -> UIImage) {
    do throws(ImageError) {
      let image = try open()
      source = .init(image)
      orientation = image.imageOrientation
    } catch {
      source = .failed(MLError(FoveaError(error)))
      orientation = .up
    }
  }
}
