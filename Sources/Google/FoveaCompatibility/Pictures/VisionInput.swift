// SPDX-License-Identifier: Apache-2.0

package import AppleShims
import Fovea
package import FoveaGeometry
package import FoveaImage

/// What a call sees of the caller's image: a snapshot, taken when the call is made.
///
/// Nothing is decoded or checked until the image is used, so that whatever is wrong with it is an error of the call.
package struct VisionInput: Sendable {
  /// Where the pixels come from.
  package enum Source: Sendable {
    /// An image of which the pixels may still be encoded.
    case image(CGImage)
    /// A frame of a camera.
    case buffer(CVPixelBuffer)
    /// Pixels in memory.
    case pixels(PixelBuffer)
    /// Something that is no image.
    case failed(MLError)
  }
  /// Where the pixels come from.
  package let source: Source
  /// How the stored pixels must be rotated to be upright.
  package let orientation: Orientation
  /// When the frame was taken, in seconds since any fixed moment; nil where nothing says it.
  package let seconds: Double?

  /// Makes a snapshot.
  package init(_ source: Source, orientation: UIImage.Orientation, seconds: Double? = nil) {
    self.source = source
    self.orientation = orientation.orientation
    self.seconds = seconds
  }

  /// The image as detectors and labelers take it; an encoded one stays encoded.
  /// - Throws: `invalidArgument` for what is no image.
  func input() throws(MLError) -> ImageInput {
    switch source {
    case .image(let image): image.input.oriented(orientation)
    case .buffer, .pixels: .pixels(try pixels())
    case .failed(let error): throw error
    }
  }

  /// The image as a frame, rotated by `orientation`.
  /// - Throws: `invalidArgument` for what is not an image, or has a pixel format that is not read.
  func pixels() throws(MLError) -> PixelBuffer {
    var pixels: PixelBuffer
    do {
      switch source {
      case .image(let image): pixels = try image.pixels()
      case .buffer(let buffer): pixels = try buffer.pixels()
      case .pixels(let given): pixels = given
      case .failed(let error): throw error
      }
    } catch {
      throw (error as? MLError) ?? MLError(FoveaError(error))
    }
    if pixels.orientation != orientation { pixels.orientation = orientation }
    return pixels
  }
}
