// SPDX-License-Identifier: Apache-2.0

/// How the pixels of an image lie in memory: alpha, kind of numbers and order of bytes.
///
/// The numbers are Apple's.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
  /// The bits: 0…4 a `CGImageAlphaInfo`, 8…11 the kind of numbers, 12…14 the order of bytes.
  public let rawValue: UInt32

  /// Makes a description from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a description from where the alpha is, with the order of bytes `byteOrderDefault`.
  public init(alpha: CGImageAlphaInfo) { self.init(rawValue: alpha.rawValue) }

  /// The bits that say where the alpha is.
  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  /// The bits that say what kind of numbers the components are.
  public static let floatInfoMask = CGBitmapInfo(rawValue: 0xF00)
  /// Components are floating-point numbers; such images are refused.
  public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
  /// The bits that say in which order the bytes lie.
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  /// Nothing said: the bytes lie in the order in which the components are named.
  public static let byteOrderDefault: CGBitmapInfo = []
  /// 16-bit numbers, the low byte first; such images are refused.
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
  /// 32-bit numbers, the low byte first: with `noneSkipFirst` blue, green, red, unused.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
  /// 16-bit numbers, the high byte first; such images are refused.
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
  /// 32-bit numbers, the high byte first: with `noneSkipFirst` unused, red, green, blue.
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)

  /// Where the alpha is; nil for bits without a meaning.
  public var alpha: CGImageAlphaInfo? { CGImageAlphaInfo(rawValue: intersection(.alphaInfoMask).rawValue) }
}
