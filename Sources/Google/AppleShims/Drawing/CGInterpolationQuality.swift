// SPDX-License-Identifier: Apache-2.0

/// The interpolation of images that are drawn scaled.
///
/// The numbers are Core Graphics'.
public enum CGInterpolationQuality: Int32, Sendable {
  /// As `high`.
  case `default` = 0
  /// The nearest pixel.
  case none = 1
  /// As `high`.
  case low = 2
  /// Weights every pixel by a triangle that is as wide as two pixels of the result, and at least two of the
  /// image.
  case high = 3
  /// As `high`.
  case medium = 4
}
