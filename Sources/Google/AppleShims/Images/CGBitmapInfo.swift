// SPDX-License-Identifier: Apache-2.0

/// The pixel layout of an image in memory: alpha, number format and byte order.
///
/// The numbers are Apple's.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
  /// The bits: 0…4 a `CGImageAlphaInfo`, 8…11 the number format, 12…14 the byte order.
  public let rawValue: UInt32

  /// Creates a description from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a description from the position of alpha, with the byte order `byteOrderDefault`.
  public init(alpha: CGImageAlphaInfo) { self.init(rawValue: alpha.rawValue) }

  /// The bits of the position of alpha.
  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  /// The bits of the number format of components.
  public static let floatInfoMask = CGBitmapInfo(rawValue: 0xF00)
  /// Components are floating-point numbers; such images are refused.
  public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
  /// The bits of the byte order.
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  /// The default: the bytes are in the order in which the components are named.
  public static let byteOrderDefault: CGBitmapInfo = []
  /// 16-bit numbers, the low byte first; such images are refused.
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
  /// 32-bit numbers, the low byte first: with `noneSkipFirst` blue, green, red, unused.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
  /// 16-bit numbers, the high byte first; such images are refused.
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
  /// 32-bit numbers, the high byte first: with `noneSkipFirst` unused, red, green, blue.
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)

  /// The position of alpha; nil for bits without a meaning.
  public var alpha: CGImageAlphaInfo? { CGImageAlphaInfo(rawValue: intersection(.alphaInfoMask).rawValue) }
}
