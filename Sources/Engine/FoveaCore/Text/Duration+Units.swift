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
