// SPDX-License-Identifier: Apache-2.0

/// Estimates the width of bold text in the font of the reader's browser.
///
/// The widths are taken from Helvetica Bold, in thousandths of an em; common sans-serif fonts are similar,
/// and the page makes the browser render each string in exactly this width.
///
/// **Source:** Adobe Font Metrics of Helvetica-Bold.
enum ChipText {
  static func width(of text: String, fontSize: Double) -> Double {
    Double(text.unicodeScalars.reduce(0) { $0 + thousandths($1) }) / 1_000 * fontSize
  }

  private static func thousandths(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case " ", "i", "j", "l", "I", ".", ",", ":", "/", "'": 278
    case "f", "t", "(", ")", "-": 333
    case "r": 389
    case "m": 889
    case "w": 778
    case "M": 833
    case "W": 944
    case "s", "a", "c", "e", "k", "v", "x", "y", "z", "_", "0"..."9": 556
    case "F", "L", "T", "b", "d", "g", "h", "n", "o", "p", "q", "u": 611
    case "G", "O", "Q": 778
    case "A"..."Z": 700
    default: scalar.value < 0x1100 ? 620 : 1_000
    }
  }
}
