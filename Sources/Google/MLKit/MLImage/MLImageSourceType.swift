// SPDX-License-Identifier: Apache-2.0

/// The type from which an `MLImage` was created.
public struct MLImageSourceType: RawRepresentable, Sendable, Hashable {
  /// The number of the type.
  public let rawValue: Int
  /// Creates a type from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MLImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MLImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MLImageSourceType(rawValue: 2)
}
