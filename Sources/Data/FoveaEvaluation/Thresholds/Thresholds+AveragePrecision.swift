// SPDX-License-Identifier: Apache-2.0

extension Thresholds {
  /// The average precision of a curve: Σ (Rₙ − Rₙ₋₁) Pₙ, the area under precision and recall.
  ///
  /// **Source:** scikit-learn, `average_precision_score`.
  /// - Returns: 0…1; nil for a curve without points.
  package static func averagePrecision(of curve: [Point]) -> Double? {
    guard !curve.isEmpty else { return nil }
    var sum = 0.0
    var recall = 0.0
    for point in curve.reversed() {
      sum += (point.recall - recall) * point.precision
      recall = point.recall
    }
    return sum
  }
}
