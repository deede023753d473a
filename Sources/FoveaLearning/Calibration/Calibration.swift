// SPDX-License-Identifier: Apache-2.0

/// How well probabilities say how often answers are right.
package enum Calibration {
  /// The mean negative logarithm of the probability of the right class.
  /// - Parameters:
  ///   - scores: The scores of each photo, before the softmax.
  ///   - labels: The class of each photo; as many.
  ///   - temperature: What scores are divided by, above 0.
  /// - Returns: The loss, 0 for answers that are certain and right; 0 without photos.
  package static func logLoss(_ scores: [[Double]], _ labels: [Int], temperature: Double = 1) -> Double {
    guard !labels.isEmpty else { return 0 }
    var sum = 0.0
    for (row, label) in zip(scores, labels) {
      var row = row.map { $0 / temperature }
      sum -= LogSoftmax.apply(to: &row, at: label)
    }
    return sum / Double(labels.count)
  }

  /// The expected calibration error: how far the probability of the first answer is from how often it is right, in bins of
  /// equal width, weighted by their photos.
  ///
  /// **Source:** Naeini, Cooper, Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian Binning", AAAI 2015.
  /// - Parameters:
  ///   - probabilities: The probability of each class, for each photo.
  ///   - labels: The class of each photo; as many.
  ///   - bins: How many bins, 15 as in the literature.
  /// - Returns: The error, 0…1; 0 without photos.
  package static func expectedError(
    _ probabilities: [[Double]], _ labels: [Int], bins: Int = 15
  ) -> Double {
    guard !labels.isEmpty else { return 0 }
    var sums = [Double](repeating: 0, count: bins)
    for (row, label) in zip(probabilities, labels) {
      guard let best = row.indices.max(by: { row[$0] < row[$1] }) else { continue }
      // Bins are open below: (0, 1/15], (1/15, 2/15], …
      let bin = min(bins - 1, max(0, Int((row[best] * Double(bins)).rounded(.up)) - 1))
      sums[bin] += row[best] - (best == label ? 1 : 0)
    }
    return sums.reduce(0) { $0 + abs($1) } / Double(labels.count)
  }

  /// Throws where labels do not fit scores.
  static func check(_ scores: [[Double]], _ labels: [Int]) throws(LearningProblem) {
    guard scores.count == labels.count else { throw .labels }
    for (row, (values, label)) in zip(scores, labels).enumerated() {
      guard values.indices.contains(label) else { throw .labels }
      guard values.allSatisfy(\.isFinite) else { throw .notFinite(row: row) }
    }
  }
}
