// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

extension ScoreReading {
  private var areLogits: Bool { activation != .none }

  /// Returns the smallest raw number that can reach a threshold, minus a margin for rounding.
  func cut(_ threshold: Float) -> Float {
    switch activation {
    case .none: threshold
    case .sigmoid:
      threshold <= 0
        ? -.infinity : threshold >= 1 ? 15 : log(threshold / (1 - threshold)) - 1e-3
    // The sum of a row is unknown before the row is read.
    case .softmax: -.infinity
    }
  }

  /// Calls `body` with each row in which a class's number is at least `cut`, or a number cannot be a score:
  /// few rows in most images.
  /// - Precondition: `values` has rows · columns numbers.
  func forEachRow(
    reaching cut: Float, _ values: [Float], rows: Int, columns: Int,
    _ body: (Int) throws(DetectionError) -> Void
  ) throws(DetectionError) {
    precondition(values.count == rows * columns, "\(values.count) scores, \(rows) rows of \(columns)")
    for row in 0..<rows {
      let start = row &* columns
      let most = largestNumber(
        in: values, from: start + firstColumn, count: columns - firstColumn, areLogits: areLogits)
      if !(most < cut) || firstColumn > 0 && !isScore(values[start], areLogits: areLogits) { try body(row) }
    }
  }

  /// Returns the best class of a row and its probability, or a number of the row that cannot be a score, also
  /// that of the background; nil if the probability is certain to be below `least`.
  func best(_ values: [Float], from start: Int, columns: Int, least: Float) -> (column: Int, score: Float)? {
    let best = bestScore(values, from: start, columns: columns, first: firstColumn, areLogits: areLogits)
    guard let (column, most) = best else { return nil }
    guard isScore(most, areLogits: false) else { return best }
    switch activation {
    case .none: return (column, most)
    case .sigmoid: return (column, sigmoid(most))
    case .softmax:
      // The background comes first and is usually the likeliest, so one exponential is often enough.
      let limit = least > 0 ? 1.001 / least : .infinity
      var sum: Float = 0
      for index in 0..<columns {
        sum += exp(values[start + index] - most)
        if sum > limit { return nil }
      }
      return (column, 1 / sum)
    }
  }
}
