// SPDX-License-Identifier: Apache-2.0

/// What an `MLImage` was made from.
public struct MLImageSourceType: RawRepresentable, Sendable, Hashable {
  /// The number of the kind.
  public let rawValue: Int
  /// Makes a kind from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MLImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MLImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MLImageSourceType(rawValue: 2)
}
