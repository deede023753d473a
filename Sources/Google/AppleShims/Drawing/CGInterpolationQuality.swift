// SPDX-License-Identifier: Apache-2.0

/// How images are scaled when they are drawn.
///
/// The numbers are Core Graphics'.
public enum CGInterpolationQuality: Int32, Sendable {
  /// As `high`.
  case `default` = 0
  /// The nearest pixel.
  case none = 1
  /// As `high`.
  case low = 2
  /// Every pixel counts, by a triangle as wide as two pixels of the result, two of the image at least.
  case high = 3
  /// As `high`.
  case medium = 4
}
