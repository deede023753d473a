// SPDX-License-Identifier: Apache-2.0

package import AppleShims
import Foundation
import Fovea
import FoveaImage

/// An image file whose header was read, or why it could not be.
package struct VisionFile {
  /// What it shows.
  package let source: VisionInput.Source
  /// How the file says that its pixels must be rotated to be upright.
  package let orientation: UIImage.Orientation

  /// Takes the bytes of an image file.
  package init(data: Data) { self.init { () throws(ImageError) in try UIImage.open(data: data) } }

  /// Takes the address of an image file; others are refused, as nothing is downloaded.
  package init(contentsOf url: URL) {
    self.init { () throws(ImageError) in
      guard url.isFileURL else {
        throw ImageError(
          .networkAddress, "the address is not that of a file",
          remedy: "Download the image, and give its data", subject: url.absoluteString)
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
