// SPDX-License-Identifier: Apache-2.0

public import AppleShims
import Foundation
import FoveaCompatibility

/// An image for ML Kit's detectors and labelers.
///
/// Nothing is decoded when it is made. What is wrong with it (no `CGImage`, a pixel format that is not read, bytes
/// that do not fit the size, a damaged file) is an error of the first call that uses it.
///
/// `init(image:)` and `init(buffer:)` are ML Kit's; the others are additions.
public final class VisionImage: NSObject {
  /// How the stored pixels must be rotated to be upright.
  ///
  /// At first what the `UIImage` or the image file says, so that a phone's photo is seen upright without further settings; `up`
  /// for buffers, `CGImage`s and bytes, which say nothing. For the upright images that ML Kit asks for, this is its default.
  /// A wrong one is not an error: the models see a rotated image, and find little.
  public var orientation: UIImage.Orientation
  private let source: VisionInput.Source
  private let seconds: Double?

  /// The same as `orientation`.
  public var imageOrientation: UIImage.Orientation { orientation }

  /// Takes an image.
  /// - Parameter image: The image. It must have a `CGImage`; where it has none, calls throw an error that says so.
  public convenience init(image: UIImage) { self.init(.init(image), orientation: image.imageOrientation) }

  /// Takes a frame of a camera or a video.
  ///
  /// Set `orientation` to how the camera was held. A valid time of the buffer is the frame's time in stream mode.
  /// - Parameter sampleBuffer: The frame, its pixels in BGRA, 420v or 420f. Other formats are read where that is safe, and
  ///   refused by the call otherwise; ten-bit `x420` is refused.
  public convenience init(buffer sampleBuffer: CMSampleBuffer) {
    self.init(.init(sampleBuffer), seconds: sampleBuffer.captureSeconds)
  }

  /// Takes an image without an orientation.
  public convenience init(cgImage: CGImage) { self.init(.image(cgImage)) }

  /// Takes a frame's pixels.
  /// - Parameter pixelBuffer: The pixels, as in `init(buffer:)`.
  public convenience init(pixelBuffer: CVPixelBuffer) { self.init(.buffer(pixelBuffer)) }

  /// Takes the bytes of an image file: JPEG, PNG, WebP and others.
  public convenience init(data: Data) {
    let file = VisionFile(data: data)
    self.init(file.source, orientation: file.orientation)
  }

  /// Takes an image file.
  /// - Parameter url: The address of a file; others are refused by the call, as nothing is downloaded.
  public convenience init(contentsOf url: URL) {
    let file = VisionFile(contentsOf: url)
    self.init(file.source, orientation: file.orientation)
  }

  /// Takes pixels as other libraries hold them.
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

  /// What a call sees of the image.
  var snapshot: VisionInput { VisionInput(source, orientation: orientation, seconds: seconds) }
}
