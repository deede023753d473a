// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

extension ScoreReading {
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

  /// Calls `body` with each row in which a number is at least `cut` or NaN: few rows in most images.
  /// - Precondition: `values` has rows · columns numbers.
  func forEachRow(
    reaching cut: Float, _ values: [Float], rows: Int, columns: Int,
    _ body: (Int) throws(DetectionError) -> Void
  ) throws(DetectionError) {
    precondition(values.count == rows * columns, "\(values.count) scores, \(rows) rows of \(columns)")
    for row in 0..<rows {
      // SAFETY: the row lies within the values, as just checked.
      let most = unsafe values.withUnsafeBufferPointer { values in
        unsafe values.baseAddress.map { base in
          unsafe largestNumber(base + (row &* columns &+ firstColumn), count: columns &- firstColumn)
        }
      }
      if let most, !(most < cut) { try body(row) }
    }
  }

  /// Returns the best class of a row and its probability, NaN if a number of the row is NaN; nil if the
  /// probability is certain to be below `least`.
  func best(_ values: [Float], from start: Int, columns: Int, least: Float) -> (column: Int, score: Float)? {
    var column = -1
    var most = -Float.infinity
    for index in firstColumn..<columns where values[start + index] > most || values[start + index].isNaN {
      most = values[start + index]
      column = index
    }
    guard column >= 0 else { return nil }
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
