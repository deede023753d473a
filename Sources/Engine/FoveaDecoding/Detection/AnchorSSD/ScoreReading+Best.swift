// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

extension ScoreReading {
  /// The least raw number that can reach a threshold, a little less for rounding.
  func cut(_ threshold: Float) -> Float {
    switch activation {
    case .none: threshold
    case .sigmoid:
      threshold <= 0
        ? -.infinity : threshold >= 1 ? 15 : log(threshold / (1 - threshold)) - 1e-3
    // What a row adds up to is not known before it is read.
    case .softmax: -.infinity
    }
  }

  /// Calls `body` with each row that has a number of at least `cut`: few rows of most images.
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
      if let most, most >= cut { try body(row) }
    }
  }

  /// The best class of a row and its probability, or nil where no number of the row is one; also where the probability
  /// is certain to be below `least`.
  func best(_ values: [Float], from start: Int, columns: Int, least: Float) -> (column: Int, score: Float)? {
    var column = -1
    var most = -Float.infinity
    for index in firstColumn..<columns where values[start + index] > most {
      most = values[start + index]
      column = index
    }
    guard column >= 0 else { return nil }
    switch activation {
    case .none: return (column, most)
    case .sigmoid: return (column, 1 / (1 + exp(-most)))
    case .softmax:
      // The background is the first and most often the likeliest: one exponential then tells.
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
