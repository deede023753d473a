// SPDX-License-Identifier: Apache-2.0

public import AppleShims
import Foundation

/// An image for ML Kit's detectors and labelers, made from one of three types.
///
/// Equivalent to `VisionImage`: every call accepts either.
public final class MLImage: NSObject {
  /// The width in pixels; for a `UIImage`, the width of the upright image.
  public let width: CGFloat
  /// The height in pixels; for a `UIImage`, the height of the upright image.
  public let height: CGFloat
  /// The rotation that makes the stored pixels upright; initially the orientation of the `UIImage`, `up` for
  /// buffers.
  public var orientation: UIImage.Orientation
  /// The type from which the image was created.
  public let imageSourceType: MLImageSourceType
  /// The image; nil if it was created from a buffer.
  public let image: UIImage?
  /// The pixels; nil if the image was not created from a pixel buffer.
  public let pixelBuffer: CVPixelBuffer?
  /// The frame; nil if the image was not created from a sample buffer.
  public let sampleBuffer: CMSampleBuffer?

  /// Creates an image from a `UIImage`.
  /// - Parameter image: The image. The result is nil if it has no `CGImage`.
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

  /// Creates an image from a frame's pixels.
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

  /// Creates an image from a camera or video frame.
  /// - Parameter sampleBuffer: The frame. The result is nil if it is invalid or has no image buffer.
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
