// SPDX-License-Identifier: Apache-2.0

public import AppleShims
import Foundation
import FoveaCompatibility

/// An image for ML Kit's detectors and labelers.
///
/// Nothing is decoded when it is created. A problem (no `CGImage`, an unsupported pixel format, bytes that do
/// not fit the size, a damaged file) is reported by the first call that uses the image.
///
/// `init(image:)` and `init(buffer:)` are ML Kit's; the others are additions.
public final class VisionImage: NSObject {
  /// The rotation that makes the stored pixels upright.
  ///
  /// Initially the orientation of the `UIImage` or the image file, so that a phone's photo is upright without
  /// further settings; `up` for buffers, `CGImage`s and bytes, which have no orientation. For upright images,
  /// which ML Kit expects, that is ML Kit's default. A wrong orientation is not an error: the models see a
  /// rotated image and find little.
  public var orientation: UIImage.Orientation
  private let source: VisionInput.Source
  private let seconds: Double?

  /// The same as `orientation`.
  public var imageOrientation: UIImage.Orientation { orientation }

  /// Creates an image from a `UIImage`.
  /// - Parameter image: The image. If it has no `CGImage`, calls throw an error.
  public convenience init(image: UIImage) { self.init(.init(image), orientation: image.imageOrientation) }

  /// Creates an image from a camera or video frame.
  ///
  /// Set `orientation` to the rotation of the camera. If the buffer has a valid time, it is the frame's time
  /// in stream mode.
  /// - Parameter sampleBuffer: The frame, its pixels in BGRA, 420v or 420f. Other formats are read if that is
  ///   safe, else refused by the call; ten-bit `x420` is refused.
  public convenience init(buffer sampleBuffer: CMSampleBuffer) {
    self.init(.init(sampleBuffer), seconds: sampleBuffer.captureSeconds)
  }

  /// Creates an image without an orientation.
  public convenience init(cgImage: CGImage) { self.init(.image(cgImage)) }

  /// Creates an image from a frame's pixels.
  /// - Parameter pixelBuffer: The pixels, as in `init(buffer:)`.
  public convenience init(pixelBuffer: CVPixelBuffer) { self.init(.buffer(pixelBuffer)) }

  /// Creates an image from the bytes of an image file: JPEG, PNG, WebP and others.
  public convenience init(data: Data) {
    let file = VisionFile(data: data)
    self.init(file.source, orientation: file.orientation)
  }

  /// Creates an image from an image file.
  /// - Parameter url: The URL of a file; other URLs are refused by the call, since nothing is downloaded.
  public convenience init(contentsOf url: URL) {
    let file = VisionFile(contentsOf: url)
    self.init(file.source, orientation: file.orientation)
  }

  /// Creates an image from raw pixels.
  /// - Parameters:
  ///   - rgb: Red, green and blue, a byte each, rows from the top without gaps: 3 × `width` × `height` bytes.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  public convenience init(rgb: Data, width: Int, height: Int) {
    self.init(.init(rgb: rgb, width: width, height: height))
  }

  private init(_ source: VisionInput.Source, orientation: UIImage.Orientation = .up, seconds: Double? = nil) {
    self.source = source
    self.orientation = orientation
    self.seconds = seconds
  }

  /// The input of a call.
  var snapshot: VisionInput { VisionInput(source, orientation: orientation, seconds: seconds) }
}
