// SPDX-License-Identifier: Apache-2.0

public import AppleShims
import Foundation
package import FoveaCompatibility

/// An image for the legacy detector.
///
/// Nothing is read or decoded when it is created; an unusable image is reported by the first call that uses
/// it.
public final class VisionImage: NSObject {
  /// The image's orientation; nil, the default, uses the orientation of the `UIImage`, and `topLeft` for a
  /// sample buffer.
  public var metadata: VisionImageMetadata?
  private let source: VisionInput.Source
  private let orientation: UIImage.Orientation
  private let seconds: Double?

  /// Creates an image from a `UIImage`.
  /// - Parameter image: The image; if it has no `CGImage`, calls throw an error.
  public init(image: UIImage) {
    source = .init(image)
    orientation = image.imageOrientation
    seconds = nil
  }

  /// Creates an image from a camera or video frame.
  /// - Parameter sampleBuffer: The frame, its pixels in BGRA, 420v or 420f.
  public init(buffer sampleBuffer: CMSampleBuffer) {
    source = .init(sampleBuffer)
    orientation = .up
    seconds = sampleBuffer.captureSeconds
  }

  /// The input of a call.
  package var visionInput: VisionInput {
    VisionInput(source, orientation: metadata?.orientation.orientation ?? orientation, seconds: seconds)
  }
}
