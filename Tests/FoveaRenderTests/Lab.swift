// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaRender

/// A colour in CIE L*a*b* (D65), in which distance is visible difference.
struct Lab {
  var lightness: Double
  var a: Double
  var b: Double

  init(_ color: RGBColor) {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let red = linear(color.red)
    let green = linear(color.green)
    let blue = linear(color.blue)
    func curve(_ value: Double) -> Double { value > 0.008856 ? cbrt(value) : 7.787 * value + 16.0 / 116 }
    let x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
    let y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    let z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
    lightness = 116 * y - 16
    a = 500 * (x - y)
    b = 200 * (y - z)
  }

  /// The CIE76 difference; 2.3 is just noticeable.
  func distance(to other: Lab) -> Double {
    let squares =
      (lightness - other.lightness) * (lightness - other.lightness) + (a - other.a) * (a - other.a)
      + (b - other.b) * (b - other.b)
    return squares.squareRoot()
  }
}
