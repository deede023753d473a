// SPDX-License-Identifier: Apache-2.0

/// Photos that are probably labelled wrong.
///
/// A photo is suspect where another class is at least ten times as likely as the one that it was given, by a head that has not
/// learned from it.
///
/// **Source:** after Northcutt, Jiang, Chuang, "Confident Learning: Estimating Uncertainty in Dataset Labels", JAIR 2021.
package struct LabelIssue: Sendable, Equatable {
  /// The number of the photo.
  package let row: Int
  package let given: Int
  /// The likeliest other class.
  package let likelier: Int
  /// How many times as likely it is, at least ``leastRatio``.
  package let ratio: Double

  /// The likelier class's probability; the sum over issues is about how many of them are right.
  package let probability: Double

  package static let leastRatio = 10.0

  /// Finds them, the surest first.
  /// - Parameters:
  ///   - probabilities: The calibrated probability of each class, for each photo, by a head that has not learned from it.
  ///   - labels: The class that each photo was given.
  /// - Returns: The issues, by falling ratio; of equal ones the first photo first.
  /// - Throws: `LearningProblem.labels` for labels that do not fit.
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
