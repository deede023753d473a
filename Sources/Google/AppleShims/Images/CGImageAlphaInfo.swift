// SPDX-License-Identifier: Apache-2.0

/// The position of alpha in a pixel, and whether the colours are multiplied by it.
///
/// First and last are the upper and the lower end of the pixel as one number; `CGBitmapInfo` defines the byte
/// order. The numbers are Apple's.
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// No alpha and no unused byte: 24-bit RGB, or grey.
  case none = 0
  /// The last component is alpha; the colours are multiplied by it.
  case premultipliedLast = 1
  /// The first component is alpha; the colours are multiplied by it.
  case premultipliedFirst = 2
  /// The last component is alpha; the colours are not multiplied by it.
  case last = 3
  /// The first component is alpha; the colours are not multiplied by it.
  case first = 4
  /// The last component is unused.
  case noneSkipLast = 5
  /// The first component is unused.
  case noneSkipFirst = 6
  /// Only alpha; images and contexts of this kind are refused.
  case alphaOnly = 7

  /// Whether a pixel may be transparent.
  var isTransparent: Bool {
    switch self {
    case .premultipliedLast, .premultipliedFirst, .last, .first, .alphaOnly: true
    case .none, .noneSkipLast, .noneSkipFirst: false
    }
  }

  /// Whether the colours are multiplied by alpha.
  var isPremultiplied: Bool { self == .premultipliedLast || self == .premultipliedFirst }
}
