// SPDX-License-Identifier: Apache-2.0

/// Where a pixel has its alpha, and whether the colours were multiplied by it.
///
/// First and last mean the upper and the lower end of the pixel as one number; `CGBitmapInfo` says in which order its
/// bytes lie. The numbers are Apple's.
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// There is no alpha and no room for it: 24-bit RGB, or grey.
  case none = 0
  /// The last component is alpha; the colours were multiplied by it.
  case premultipliedLast = 1
  /// The first component is alpha; the colours were multiplied by it.
  case premultipliedFirst = 2
  /// The last component is alpha; the colours were not multiplied by it.
  case last = 3
  /// The first component is alpha; the colours were not multiplied by it.
  case first = 4
  /// The last component has no meaning.
  case noneSkipLast = 5
  /// The first component has no meaning.
  case noneSkipFirst = 6
  /// There is alpha alone; images and contexts of this kind are refused.
  case alphaOnly = 7

  /// Whether a pixel may be transparent.
  var isTransparent: Bool {
    switch self {
    case .premultipliedLast, .premultipliedFirst, .last, .first, .alphaOnly: true
    case .none, .noneSkipLast, .noneSkipFirst: false
    }
  }

  /// Whether the colours were multiplied by alpha.
  var isPremultiplied: Bool { self == .premultipliedLast || self == .premultipliedFirst }
}
