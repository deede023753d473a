// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility

/// The relation between the successive images of a detector.
public struct ObjectDetectorMode: RawRepresentable, Sendable, Hashable {
  /// The mode's number.
  public let rawValue: Int
  /// Creates a mode from its number; a number other than 0 and 1 is refused at the first image.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Independent images; objects have no tracking ids.
  public static let singleImage = ObjectDetectorMode(rawValue: 0)
  /// Successive frames of one stream; objects keep their tracking ids from frame to frame.
  public static let stream = ObjectDetectorMode(rawValue: 1)

  /// The mode of the request.
  var mode: DetectionRequest.Mode {
    switch self {
    case .singleImage: .singleImage
    case .stream: .stream
    default: .unknown(rawValue)
    }
  }
}
