// SPDX-License-Identifier: Apache-2.0

public import FoveaImage
import Synchronization

/// One image of a camera or a video with its time.
public typealias CMSampleBufferRef = CMSampleBuffer

/// One image of a camera or a video with its time.
///
/// A buffer has no orientation: code from Google's guides sets the orientation of the `VisionImage` created
/// from it.
public final class CMSampleBuffer: Sendable {
  /// The pixels; nil if the buffer only reports a dropped image.
  public let imageBuffer: CVImageBuffer?
  /// The presentation time of the image; `invalid` if it is unknown.
  public let presentationTimeStamp: CMTime
  /// The duration of the image; `invalid` if it is unknown.
  public let duration: CMTime
  private let validity = Mutex(true)

  /// Creates a sample; an addition to Core Media.
  /// - Parameters:
  ///   - imageBuffer: The pixels; nil creates a sample without an image.
  ///   - presentationTimeStamp: The presentation time; `invalid`, the default, means unknown.
  ///   - duration: The duration; `invalid`, the default, means unknown.
  public init(
    imageBuffer: CVImageBuffer?, presentationTimeStamp: CMTime = .invalid, duration: CMTime = .invalid
  ) {
    self.imageBuffer = imageBuffer
    self.presentationTimeStamp = presentationTimeStamp
    self.duration = duration
  }

  /// Creates a sample of an image, rotated upright and decoded at full size; an addition to Core Media.
  /// - Parameters:
  ///   - image: The image.
  ///   - presentationTimeStamp: The presentation time; `invalid`, the default, means unknown.
  /// - Throws: `ImageError` if the image is damaged or truncated, or memory is exhausted.
  public convenience init(_ image: UIImage, presentationTimeStamp: CMTime = .invalid) throws(ImageError) {
    self.init(imageBuffer: try CVPixelBuffer(image), presentationTimeStamp: presentationTimeStamp)
  }

  /// Creates a sample of a video frame with its time; an addition to Core Media.
  ///
  /// Upright pixels are not copied; others are rotated.
  /// - Parameter frame: The frame.
  /// - Throws: `ImageError` if there is no memory to rotate it upright, or its pixels were borrowed for a
  ///   call that has ended.
  public convenience init(_ frame: VideoFrame) throws(ImageError) {
    self.init(imageBuffer: try CVPixelBuffer(frame), presentationTimeStamp: frame.time)
  }

  /// Whether the sample may be used: until `CMSampleBufferInvalidate` is called.
  public var isValid: Bool { validity.withLock { $0 } }

  func invalidate() { validity.withLock { $0 = false } }
}

extension VideoFrame {
  /// The presentation time, counted from the first frame, in nanoseconds.
  package var time: CMTime { CMTime(seconds: seconds, preferredTimescale: 1_000_000_000) }
}

/// Returns the pixels of a sample; nil if it has none.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// Returns whether a sample may be used.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Returns the presentation time of a sample; `invalid` if it is unknown.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// Returns the duration of a sample; `invalid` if it is unknown.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Invalidates a sample.
/// - Returns: 0.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  sbuf.invalidate()
  return 0
}
