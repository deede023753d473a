// SPDX-License-Identifier: Apache-2.0

/// A number as written: digits and a power of ten.
package struct JSONNumber {
  /// The first 19 digits, which always fit.
  private var digits: UInt64 = 0
  private var digitCount = 0
  /// The power of ten that the digits are multiplied by.
  var exponent = 0
  var isNegative = false
  /// Whether it has neither point nor exponent.
  var isInteger = true
  /// Whether `digits` contains all digits.
  private(set) var isExact = true
  /// The characters, stored if the digits are not enough.
  var text: [UInt8] = []

  package init() {}

  @inline(__always)
  package mutating func append(_ digit: UInt8, scale: Int) {
    if digitCount < 19 {
      digits = digits &* 10 &+ UInt64(digit)
      // Leading zeros are not digits.
      if digits != 0 { digitCount &+= 1 }
      exponent &+= scale
    } else {
      isExact = false
    }
  }

  /// The whole number: 285 and 285.0 are whole, 285.5 and numbers beyond ±2^63 give nil.
  package var integer: Int? {
    guard isInteger && isExact else { return Int(exactly: double) }
    return Int(exactly: digits).map { isNegative ? -$0 : $0 }
  }

  /// The nearest double; infinite if the number is too large.
  package var double: Double {
    guard isExact else { return Double(String(decoding: text, as: UTF8.self)) ?? .nan }
    let magnitude = JSONNumber.magnitude(digits, exponent)
    return isNegative ? -magnitude : magnitude
  }

  /// Returns digits × 10^exponent, correctly rounded.
  private static func magnitude(_ digits: UInt64, _ exponent: Int) -> Double {
    if digits == 0 { return 0 }
    // Both factors are exact and the machine rounds once.
    // Source: W. Clinger, How to Read Floating Point Numbers Accurately, PLDI 1990.
    if digits < 1 << 53, (-22...22).contains(exponent) {
      return exponent < 0 ? Double(digits) / tens[-exponent] : Double(digits) * tens[exponent]
    }
    if (-19...0).contains(exponent) { return quotient(digits, wholeTens[-exponent]) }
    return Double("\(digits)e\(exponent)") ?? .nan
  }

  /// Returns numerator ÷ denominator, rounded to the nearest double, ties to even.
  ///
  /// The division is an integer division of 128 by 64 bits: its quotient has 63 or 64 bits, ten more than a
  /// double, and the remainder shows whether any bits follow.
  private static func quotient(_ numerator: UInt64, _ denominator: UInt64) -> Double {
    let upper = UInt64(numerator.leadingZeroBitCount)
    let lower = UInt64(denominator.leadingZeroBitCount)
    let divisor = denominator << lower
    // Half of the shifted numerator is smaller than the divisor, so the quotient fits.
    let dividend = (numerator << upper) >> 1
    let low = (numerator << upper) << 63
    let (quotient, remainder) = divisor.dividingFullWidth((high: dividend, low: low))
    // quotient = numerator / denominator × 2^(63 + upper − lower)
    let sticky: UInt64 = remainder == 0 ? 0 : 1
    let shift = UInt64(11 - quotient.leadingZeroBitCount)
    let kept = quotient >> shift
    let rest = (quotient & ((1 << shift) - 1)) << 1 | sticky
    let half = UInt64(1) << shift
    let rounded = kept + (rest > half || (rest == half && kept & 1 == 1) ? 1 : 0)
    return Double(
      sign: .plus, exponent: Int(shift) - 63 - Int(upper) + Int(lower), significand: Double(rounded))
  }

  private static let tens: [Double] = (0...22).map { Double("1e\($0)") ?? .nan }
  private static let wholeTens: [UInt64] = (0...19).map { power in
    (0..<power).reduce(1) { product, _ in product * 10 }
  }
}
