// SPDX-License-Identifier: Apache-2.0

/// Reads numbers in the formats of programs: 12, -0.5, 1e-05, nan, inf.
package enum NumberText {
  /// Returns the nearest double; nil if the bytes are not a number.
  ///
  /// "nan", "inf" and "infinity" are numbers in any case, with or without a sign, because Python and C write
  /// them.
  package static func double(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
    var at = range.lowerBound
    let end = range.upperBound
    var number = JSONNumber()
    if at < end, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
      number.isNegative = bytes[at] == UInt8(ascii: "-")
      at += 1
    }
    let first = at
    var digits = 0
    var scale = 0
    while at < end {
      let digit = bytes[at] &- UInt8(ascii: "0")
      if digit < 10 {
        number.append(digit, scale: scale)
        digits += 1
      } else if digit == UInt8(ascii: ".") &- UInt8(ascii: "0"), scale == 0 {
        scale = -1
      } else {
        break
      }
      at += 1
    }
    guard digits > 0 else { return word(bytes, first..<end, isNegative: number.isNegative) }
    if at < end {
      guard bytes[at] | 0x20 == UInt8(ascii: "e"), let exponent = exponent(bytes, (at + 1)..<end) else {
        return nil
      }
      number.exponent += exponent
    }
    if !number.isExact { number.text = Array(bytes[range]) }
    return number.double
  }

  private static func exponent(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var at = range.lowerBound
    var isNegative = false
    if at < range.upperBound, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
      isNegative = bytes[at] == UInt8(ascii: "-")
      at += 1
    }
    guard at < range.upperBound else { return nil }
    var exponent = 0
    while at < range.upperBound {
      let digit = bytes[at] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      exponent = min(exponent * 10 + Int(digit), 100_000)
      at += 1
    }
    return isNegative ? -exponent : exponent
  }

  private static func word(_ bytes: [UInt8], _ range: Range<Int>, isNegative: Bool) -> Double? {
    switch String(decoding: bytes[range], as: UTF8.self).lowercased() {
    case "nan": .nan
    case "inf", "infinity": isNegative ? -.infinity : .infinity
    default: nil
    }
  }
}
