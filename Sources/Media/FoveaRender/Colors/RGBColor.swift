// SPDX-License-Identifier: Apache-2.0

/// An opaque sRGB colour with 8 bits per channel.
public struct RGBColor: Sendable, Hashable {
  /// Red, 0…255.
  public var red: UInt8
  /// Green, 0…255.
  public var green: UInt8
  /// Blue, 0…255.
  public var blue: UInt8

  /// Creates a colour from its three channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a colour from 0xRRGGBB; higher bits are ignored.
  public init(hex: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex))
  }

  /// Black.
  public static let black = RGBColor(hex: 0x000000)
  /// White.
  public static let white = RGBColor(hex: 0xFFFFFF)
}

extension RGBColor: CustomStringConvertible {
  /// The colour as "#RRGGBB", for HTML and CSS.
  public var description: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}
