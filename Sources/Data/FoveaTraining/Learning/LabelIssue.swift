// SPDX-License-Identifier: Apache-2.0

/// A photo that is probably mislabelled.
///
/// A photo is suspect if a head that was not trained on it considers another class at least ten times as
/// likely as the given one.
///
/// **Source:** after Northcutt, Jiang, Chuang, "Confident Learning: Estimating Uncertainty in Dataset
/// Labels", JAIR 2021.
package struct LabelIssue: Sendable, Equatable {
  /// The number of the photo.
  package let row: Int
  package let given: Int
  /// The most likely other class.
  package let likelier: Int
  /// The ratio of the two probabilities, at least ``leastRatio``.
  package let ratio: Double

  /// The probability of the likelier class; the sum over issues estimates the number of true ones.
  package let probability: Double

  package static let leastRatio = 10.0

  /// Finds issues, the highest ratio first.
  /// - Parameters:
  ///   - probabilities: The calibrated probabilities of the classes for each photo, from a head not trained
  ///     on it.
  ///   - labels: The given class of each photo.
  /// - Returns: The issues by descending ratio; for equal ratios, the first photo first.
  /// - Throws: `LearningProblem.labels` if labels do not fit.
  package static func all(
    in probabilities: [[Double]], labels: [Int]
  ) throws(LearningProblem) -> [LabelIssue] {
    try Calibration.check(probabilities, labels)
    var issues: [LabelIssue] = []
    for (row, (values, given)) in zip(probabilities, labels).enumerated() {
      let others = values.indices.filter { $0 != given }
      guard let likelier = others.max(by: { values[$0] < values[$1] }) else { continue }
      let ratio = values[likelier] / max(values[given], .leastNormalMagnitude)
      if ratio >= leastRatio {
        issues.append(
          LabelIssue(row: row, given: given, likelier: likelier, ratio: ratio, probability: values[likelier]))
      }
    }
    return issues.sorted { ($1.ratio, $0.row) < ($0.ratio, $1.row) }
  }
}
