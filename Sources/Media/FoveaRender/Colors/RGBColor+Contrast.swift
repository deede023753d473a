// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension RGBColor {
  /// The perceived brightness of the colour, from 0 (black) to 1 (white).
  ///
  /// **Source:** WCAG 2.1, "relative luminance".
  package var relativeLuminance: Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Returns the contrast ratio of two colours in any order, from 1 (equal) to 21 (black and white).
  ///
  /// **Source:** WCAG 2.1, "contrast ratio".
  package func contrast(with other: RGBColor) -> Double {
    let one = relativeLuminance + 0.05
    let two = other.relativeLuminance + 0.05
    return max(one, two) / min(one, two)
  }

  /// Black or white, whichever is easier to read on this colour.
  ///
  /// The contrast is at least 4.58, the square root of 21, for any colour, which satisfies WCAG level AA.
  public var textColor: RGBColor { contrast(with: .black) >= contrast(with: .white) ? .black : .white }
}
