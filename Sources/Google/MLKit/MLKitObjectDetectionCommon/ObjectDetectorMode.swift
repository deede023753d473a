// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility

/// How the images that a detector is given belong together.
public struct ObjectDetectorMode: RawRepresentable, Sendable, Hashable {
  /// The mode's number.
  public let rawValue: Int
  /// Makes a mode from its number; one that is neither 0 nor 1 is refused when it is used.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Each image for itself; objects have no tracking ids.
  public static let singleImage = ObjectDetectorMode(rawValue: 0)
  /// Frames of one stream in their order; objects keep their tracking ids from frame to frame.
  public static let stream = ObjectDetectorMode(rawValue: 1)

  /// The mode as a request has it.
  var mode: DetectionRequest.Mode {
    switch self {
    case .singleImage: .singleImage
    case .stream: .stream
    default: .unknown(rawValue)
    }
  }
}
