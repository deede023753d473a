// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// The duration in milliseconds.
  package var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }

  /// The duration in seconds.
  package var seconds: Double { milliseconds / 1e3 }

  /// Whole microseconds for C: at least 0, and far from overflow for any duration.
  package var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? (seconds < 0 ? 0 : .max / 2) : max(product &+ attoseconds / 1_000_000_000_000, 0)
  }
}

/// Times as users write them: `25`, `2.5s`, `500ms`, `10m`, `1h`, `7d`.
package enum TimeText {
  /// Returns the seconds in a string, from 0; nil for another format, and for a number above ten million.
  package static func seconds(_ text: String) -> Double? {
    let units: [String: Double] = ["": 1, "ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard let unit = units[String(text.dropFirst(number.count))], let value = Double(number), value <= 1e7
    else { return nil }
    return value * unit
  }
}
