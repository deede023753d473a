// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The logarithm of the gamma function.
enum LogGamma {
  /// ln Γ(x + n) − ln Γ(x).
  ///
  /// For large x, uses a form of Stirling's series in which the large terms cancel before they are rounded:
  /// the difference of two logarithms of 10¹⁰ would lose six digits.
  /// - Parameters:
  ///   - x: Above 0.
  ///   - n: 0 or more.
  /// - Returns: The difference.
  static func rise(from x: Double, by n: Double) -> Double {
    guard n > 0 else { return 0 }
    guard x < 20 else { return largeRise(from: x, by: n) }
    // Γ(x + 1) = x Γ(x) raises a small x.
    var (x, sum, left) = (x, 0.0, n)
    while x < 20 && left >= 1 {
      sum += log(x)
      x += 1
      left -= 1
    }
    guard left > 0 else { return sum }
    return sum + (x < 20 ? plain(x + left) - plain(x) : largeRise(from: x, by: left))
  }

  private static func plain(_ x: Double) -> Double {
    var sign: Int32 = 0
    return unsafe lgamma_r(x, &sign)
  }

  /// Returns (x + n − ½) ln(x + n) − (x − ½) ln x − n, as (x − ½) ln(1 + n/x) + n (ln(x + n) − 1), plus the
  /// rest of the series.
  private static func largeRise(from x: Double, by n: Double) -> Double {
    (x - 0.5) * log1p(n / x) + n * (log(x + n) - 1) + tail(x + n) - tail(x)
  }

  /// 1/(12 x) − 1/(360 x³) + 1/(1260 x⁵) − 1/(1680 x⁷).
  private static func tail(_ x: Double) -> Double {
    let square = 1 / (x * x)
    return (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / x
  }
}
