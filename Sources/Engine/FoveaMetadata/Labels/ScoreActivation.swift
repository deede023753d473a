// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// What makes probabilities out of a model's raw scores.
public enum ScoreActivation: String, Sendable, Hashable, CaseIterable {
  /// Nothing: they are probabilities.
  case none
  /// The sigmoid: each class for itself.
  case sigmoid
  /// The softmax: the classes of a row, with the background where there is one, add up to 1.
  case softmax

  /// Turns one row of raw scores into probabilities, in place.
  ///
  /// - Parameter scores: One number for each class; one that is not a number stays so, and takes no part in the softmax.
  /// - Complexity: O(scores).
  public func apply(to scores: inout [Float]) {
    switch self {
    case .none: return
    case .sigmoid:
      for index in scores.indices { scores[index] = 1 / (1 + exp(-scores[index])) }
    case .softmax:
      // The largest becomes e^0: no number is too large for a Float.
      let largest = scores.reduce(-Float.infinity) { max($0, $1) }
      guard largest.isFinite else { return }
      var sum: Float = 0
      for index in scores.indices {
        scores[index] = exp(scores[index] - largest)
        if !scores[index].isNaN { sum += scores[index] }
      }
      for index in scores.indices { scores[index] /= sum }
    }
  }
}
