// SPDX-License-Identifier: Apache-2.0

import AppleShims
public import Foundation
package import FoveaCompatibility
public import MLImage

/// An image that ML Kit's detectors and labelers accept: `VisionImage` or `MLImage`.
public protocol MLKitCompatibleImage: NSObjectProtocol {}

extension VisionImage: MLKitCompatibleImage {}

extension MLImage: MLKitCompatibleImage {}

extension MLKitCompatibleImage {
  /// The input of a call; an unknown image type is reported as an error of the call.
  package var visionInput: VisionInput {
    if let image = self as? VisionImage { return image.snapshot }
    if let image = self as? MLImage { return image.snapshot }
    return VisionInput(.failed(.unknownImage(type(of: self))), orientation: .up)
  }
}

extension MLImage {
  fileprivate var snapshot: VisionInput {
    if let image { return VisionInput(.init(image), orientation: orientation) }
    if let pixelBuffer { return VisionInput(.buffer(pixelBuffer), orientation: orientation) }
    if let sampleBuffer {
      return VisionInput(.init(sampleBuffer), orientation: orientation, seconds: sampleBuffer.captureSeconds)
    }
    return VisionInput(.failed(.noCGImage), orientation: orientation)
  }
}
