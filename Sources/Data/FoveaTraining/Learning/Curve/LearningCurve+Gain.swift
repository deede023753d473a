// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension LearningCurve {
  /// The share of mistakes that is left with twice as many photos: 2^-b, at most 1.
  package var shareLeftByTwiceAsMany: Double { exp(-exponent * log(2)) }
}
