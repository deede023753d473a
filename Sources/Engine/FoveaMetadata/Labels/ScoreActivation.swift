// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The function that converts a model's raw scores to probabilities.
public enum ScoreActivation: String, Sendable, Hashable, CaseIterable {
  /// None: the scores are probabilities.
  case none
  /// The sigmoid, for each class independently.
  case sigmoid
  /// The softmax: the classes of a row, including the background if there is one, add up to 1.
  case softmax

  /// Converts one row of raw scores to probabilities, in place.
  ///
  /// - Parameter scores: One number per class; NaN stays NaN and is ignored by the softmax.
  /// - Complexity: O(scores).
  package func apply(to scores: inout [Float]) {
    switch self {
    case .none: return
    case .sigmoid:
      for index in scores.indices { scores[index] = 1 / (1 + exp(-scores[index])) }
    case .softmax:
      // The largest becomes e^0, so no number overflows a Float.
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
