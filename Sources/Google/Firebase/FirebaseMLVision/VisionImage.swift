// SPDX-License-Identifier: Apache-2.0

public import AppleShims
import Foundation
package import FoveaCompatibility

/// An image for the legacy detector.
///
/// Nothing is read or decoded when it is made; what is wrong with it is an error of the first call that uses it.
public final class VisionImage: NSObject {
  /// The image's orientation; nil, the default, takes that of the `UIImage`, and `topLeft` for a sample buffer.
  public var metadata: VisionImageMetadata?
  private let source: VisionInput.Source
  private let orientation: UIImage.Orientation
  private let seconds: Double?

  /// Takes an image.
  /// - Parameter image: The image; where it has no `CGImage`, calls throw an error that says so.
  public init(image: UIImage) {
    source = .init(image)
    orientation = image.imageOrientation
    seconds = nil
  }

  /// Takes a frame of a camera or a video.
  /// - Parameter sampleBuffer: The frame, its pixels in BGRA, 420v or 420f.
  public init(buffer sampleBuffer: CMSampleBuffer) {
    source = .init(sampleBuffer)
    orientation = .up
    seconds = sampleBuffer.captureSeconds
  }

  /// What a call sees of the image.
  package var picture: VisionInput {
    VisionInput(source, orientation: metadata?.orientation.orientation ?? orientation, seconds: seconds)
  }
}
