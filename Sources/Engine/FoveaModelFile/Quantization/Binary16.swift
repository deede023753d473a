// SPDX-License-Identifier: Apache-2.0

/// IEEE 754 binary16 numbers as bits; needed because some platforms lack `Float16`.
package enum Binary16 {
  /// Returns the number that bits stand for.
  package static func float(_ bits: UInt16) -> Float {
    let sign: Float = bits & 0x8000 == 0 ? 1 : -1
    let exponent = Int(bits >> 10 & 0x1F)
    let fraction = Float(bits & 0x3FF)
    switch exponent {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default:
      return sign * (1 + fraction * 0x1p-10) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
    }
  }

  /// Returns the bits of the nearest number, of two the even one; finite numbers beyond ±65,504 become
  /// ±65,504.
  package static func bits(_ number: Float) -> UInt16 {
    let sign: UInt16 = number.sign == .minus ? 0x8000 : 0
    guard !number.isNaN else { return 0x7E00 }
    let size = abs(number)
    guard size.isFinite else { return sign | 0x7C00 }
    guard size < 65_504 else { return sign | 0x7BFF }
    let exponent = max(size.exponent, -14)
    // The step between neighbours is 2^(exponent − 10), so the quotient is exact.
    let steps = (size / Float(sign: .plus, exponent: exponent - 10, significand: 1)).rounded(.toNearestOrEven)
    // 1,024 steps are the least normal number of an exponent; more than 2,047 carry into the next.
    return sign | UInt16(Int(steps) + (size == 0 || exponent == -14 ? 0 : (exponent + 14) << 10))
  }
}
