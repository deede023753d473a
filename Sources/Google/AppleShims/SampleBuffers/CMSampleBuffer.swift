// SPDX-License-Identifier: Apache-2.0

public import FoveaImage
import Synchronization

/// One image of a camera or a video with its time.
public typealias CMSampleBufferRef = CMSampleBuffer

/// One image of a camera or a video with its time.
///
/// A buffer has no orientation: the guides set that of the `VisionImage` which they make of it.
public final class CMSampleBuffer: Sendable {
  /// The pixels; nil where the buffer only stands for an image that was dropped.
  public let imageBuffer: CVImageBuffer?
  /// When the image is shown; `invalid` where no one says.
  public let presentationTimeStamp: CMTime
  /// How long the image is shown; `invalid` where no one says.
  public let duration: CMTime
  private let validity = Mutex(true)

  /// Makes a sample; an addition to Core Media.
  /// - Parameters:
  ///   - imageBuffer: The pixels; nil makes a sample without an image.
  ///   - presentationTimeStamp: When the image is shown; `invalid` by default, which says nothing.
  ///   - duration: How long the image is shown; `invalid` by default, which says nothing.
  public init(
    imageBuffer: CVImageBuffer?, presentationTimeStamp: CMTime = .invalid, duration: CMTime = .invalid
  ) {
    self.imageBuffer = imageBuffer
    self.presentationTimeStamp = presentationTimeStamp
    self.duration = duration
  }

  /// Makes a sample of an image, rotated upright and decoded at full size; an addition to Core Media.
  /// - Parameters:
  ///   - image: The image.
  ///   - presentationTimeStamp: When the image is shown; `invalid` by default, which says nothing.
  /// - Throws: `ImageError` when the image is damaged or cut off, or there is no memory.
  public convenience init(_ image: UIImage, presentationTimeStamp: CMTime = .invalid) throws(ImageError) {
    self.init(imageBuffer: try CVPixelBuffer(image), presentationTimeStamp: presentationTimeStamp)
  }

  /// Makes a sample of a video frame with its time; an addition to Core Media.
  ///
  /// The pixels are not copied where they are upright; others are rotated.
  /// - Parameter frame: The frame.
  /// - Throws: `ImageError` when there is no memory to rotate it upright, or its pixels were lent for a call that is over.
  public convenience init(_ frame: VideoFrame) throws(ImageError) {
    self.init(imageBuffer: try CVPixelBuffer(frame), presentationTimeStamp: frame.time)
  }

  /// Whether the sample may be used: until `CMSampleBufferInvalidate` is called.
  public var isValid: Bool { validity.withLock { $0 } }

  func invalidate() { validity.withLock { $0 = false } }
}

extension VideoFrame {
  /// When it is shown, from the first frame on, in nanoseconds.
  package var time: CMTime { CMTime(seconds: seconds, preferredTimescale: 1_000_000_000) }
}

/// The pixels of a sample; nil where it has none.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// Whether a sample may be used.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// When the image of a sample is shown; `invalid` where no one says.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// How long the image of a sample is shown; `invalid` where no one says.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Makes a sample unusable.
/// - Returns: 0.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  sbuf.invalidate()
  return 0
}
