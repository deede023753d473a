// SPDX-License-Identifier: Apache-2.0

package import AppleShims
import Fovea
package import FoveaGeometry
package import FoveaImage

/// The input of a call: a snapshot of the caller's image, taken when the call is made.
///
/// Nothing is decoded or checked until the image is used, so that its problems are errors of the call.
package struct VisionInput: Sendable {
  /// The source of the pixels.
  package enum Source: Sendable {
    /// An image whose pixels may still be encoded.
    case image(CGImage)
    /// A camera frame.
    case buffer(CVPixelBuffer)
    /// Pixels in memory.
    case pixels(PixelBuffer)
    /// An unusable image.
    case failed(MLError)
  }
  /// The source of the pixels.
  package let source: Source
  /// The rotation that makes the stored pixels upright.
  package let orientation: Orientation
  /// The capture time in seconds since any fixed moment; nil if it is unknown.
  package let seconds: Double?

  /// Creates a snapshot.
  package init(_ source: Source, orientation: UIImage.Orientation, seconds: Double? = nil) {
    self.source = source
    self.orientation = orientation.orientation
    self.seconds = seconds
  }

  /// Returns the image as the input of detectors and labelers; an encoded one stays encoded.
  /// - Throws: `invalidArgument` if it is unusable.
  func input() throws(MLError) -> ImageInput {
    switch source {
    case .image(let image): image.input.oriented(orientation)
    case .buffer, .pixels: .pixels(try pixels())
    case .failed(let error): throw error
    }
  }

  /// Returns the image as a frame, rotated by `orientation`.
  /// - Throws: `invalidArgument` if it is unusable or its pixel format is not supported.
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
