// SPDX-License-Identifier: Apache-2.0

public import AppleShims
import Foundation

/// An image for ML Kit's detectors and labelers, made from one of three types.
///
/// Equivalent to `VisionImage`: every call takes either.
public final class MLImage: NSObject {
  /// The width in pixels; of a `UIImage`, that of the upright image.
  public let width: CGFloat
  /// The height in pixels; of a `UIImage`, that of the upright image.
  public let height: CGFloat
  /// How the stored pixels must be rotated to be upright: at first what the `UIImage` says, `up` for buffers.
  public var orientation: UIImage.Orientation
  /// What the image was made from.
  public let imageSourceType: MLImageSourceType
  /// The image; nil where the image was made from a buffer.
  public let image: UIImage?
  /// The pixels; nil where the image was not made from a pixel buffer.
  public let pixelBuffer: CVPixelBuffer?
  /// The frame; nil where the image was not made from a sample buffer.
  public let sampleBuffer: CMSampleBuffer?

  /// Takes an image.
  /// - Parameter image: The image; nil comes out where it has no `CGImage`.
  public init?(image: UIImage) {
    guard image.cgImage != nil else { return nil }
    width = image.size.width * image.scale
    height = image.size.height * image.scale
    orientation = image.imageOrientation
    imageSourceType = .image
    self.image = image
    pixelBuffer = nil
    sampleBuffer = nil
  }

  /// Takes a frame's pixels.
  /// - Parameter pixelBuffer: The pixels in BGRA, 420v or 420f.
  public init?(pixelBuffer: CVPixelBuffer) {
    width = CGFloat(CVPixelBufferGetWidth(pixelBuffer))
    height = CGFloat(CVPixelBufferGetHeight(pixelBuffer))
    orientation = .up
    imageSourceType = .pixelBuffer
    image = nil
    self.pixelBuffer = pixelBuffer
    sampleBuffer = nil
  }

  /// Takes a frame of a camera or a video.
  /// - Parameter sampleBuffer: The frame; nil comes out where it is invalid or has no image buffer.
  public init?(sampleBuffer: CMSampleBuffer) {
    guard sampleBuffer.isValid, let pixels = sampleBuffer.imageBuffer else { return nil }
    width = CGFloat(CVPixelBufferGetWidth(pixels))
    height = CGFloat(CVPixelBufferGetHeight(pixels))
    orientation = .up
    imageSourceType = .sampleBuffer
    image = nil
    pixelBuffer = nil
    self.sampleBuffer = sampleBuffer
  }
}
