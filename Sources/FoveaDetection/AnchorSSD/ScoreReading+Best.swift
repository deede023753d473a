// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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

  /// The best class of a row, or nil where none reaches `cut`; numbers that are none are passed over.
  func best(
    _ values: [Float], from start: Int, columns: Int, cut: Float
  ) -> (column: Int, score: Float)? {
    var column = -1
    var most = -Float.infinity
    for index in firstColumn..<columns {
      let value = values[start + index]
      if value >= cut, value > most {
        most = value
        column = index
      }
    }
    guard column >= 0 else { return nil }
    switch activation {
    case .none: return (column, most)
    case .sigmoid: return (column, 1 / (1 + exp(-most)))
    case .softmax:
      var sum: Float = 0
      for index in 0..<columns { sum += exp(values[start + index] - most) }
      return (column, 1 / sum)
    }
  }
}
