// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The probability of yes, without overflow.
enum LogSigmoid {
  /// ln (1 / (1 + e^-score)).
  static func of(_ score: Double) -> Double {
    score >= 0 ? -log1p(exp(-score)) : score - log1p(exp(score))
  }

  /// 1 / (1 + e^-score).
  static func probability(_ score: Double) -> Double { exp(of(score)) }
}
