// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Probabilities of scores, without overflow.
enum LogSoftmax {
  /// Turns scores into probabilities.
  /// - Returns: The logarithm of the probability of a class.
  static func apply(to scores: inout [Double], at index: Int) -> Double {
    let largest = scores.max() ?? 0
    var sum = 0.0
    for score in scores { sum += exp(score - largest) }
    let logarithm = scores[index] - largest - log(sum)
    for place in scores.indices { scores[place] = exp(scores[place] - largest) / sum }
    return logarithm
  }
}
