// SPDX-License-Identifier: Apache-2.0

/// Converts pixels with alpha or CMYK to plain ones in place: the result starts at the same address and is
/// shorter.
enum PixelComposition {
  /// Returns value / 255, rounded, exact for 0…65,025.
  @inline(__always)
  private static func divide255(_ value: UInt32) -> UInt8 {
    let sum = value &+ 128
    return UInt8(truncatingIfNeeded: ((sum &>> 8) &+ sum) &>> 8)
  }

  /// Composes red, green, blue, alpha over white, without gamma, as Pillow and browsers do.
  static func rgbaOverWhite(_ base: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count {
      let source = unsafe base + index &* 4
      let target = unsafe base + index &* 3
      let alpha = unsafe UInt32(source[3])
      let white = 255 &* (255 &- alpha)
      unsafe target[0] = unsafe divide255(UInt32(source[0]) &* alpha &+ white)
      unsafe target[1] = unsafe divide255(UInt32(source[1]) &* alpha &+ white)
      unsafe target[2] = unsafe divide255(UInt32(source[2]) &* alpha &+ white)
    }
  }

  /// Composes red, green, blue (each premultiplied by alpha), alpha over white.
  static func premultipliedOverWhite(_ base: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count {
      let source = unsafe base + index &* 4
      let target = unsafe base + index &* 3
      let white = unsafe 255 &- UInt32(source[3])
      // Damaged files have colours that exceed their alpha.
      unsafe target[0] = unsafe UInt8(min(UInt32(source[0]) &+ white, 255))
      unsafe target[1] = unsafe UInt8(min(UInt32(source[1]) &+ white, 255))
      unsafe target[2] = unsafe UInt8(min(UInt32(source[2]) &+ white, 255))
    }
  }

  /// Composes grey, alpha over white.
  static func greyAlphaOverWhite(_ base: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count {
      let alpha = unsafe UInt32(base[index &* 2 &+ 1])
      let grey = unsafe UInt32(base[index &* 2])
      unsafe base[index] = divide255(grey &* alpha &+ 255 &* (255 &- alpha))
    }
  }

  /// Converts inverted cyan, magenta, yellow, black (255 is no ink) to red, green, blue.
  static func inkToRGB(_ base: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count {
      let source = unsafe base + index &* 4
      let target = unsafe base + index &* 3
      let black = unsafe UInt32(source[3])
      unsafe target[0] = unsafe divide255(UInt32(source[0]) &* black)
      unsafe target[1] = unsafe divide255(UInt32(source[1]) &* black)
      unsafe target[2] = unsafe divide255(UInt32(source[2]) &* black)
    }
  }
}
