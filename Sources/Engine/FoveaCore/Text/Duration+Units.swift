// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// The duration in milliseconds.
  package var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }

  /// The duration in seconds.
  package var seconds: Double { milliseconds / 1e3 }
}
