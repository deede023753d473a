// SPDX-License-Identifier: Apache-2.0

/// The quality of a classifier on labelled photos; shares, precision, recall and the like are 0…1.
///
/// An answer is one whose score reaches the threshold. With one class per photo, only the first answer
/// counts; with several, each answer does.
///
/// **Source:** scikit-learn 1.9.1, `sklearn.metrics`; differences are noted below.
package struct LabelMetrics: Sendable {
  /// Averages of precision, recall and the figures derived from them.
  package struct Averages: Sendable, Hashable {
    /// The share of right answers; nil without an answer.
    package var precision: Double?
    /// The share of given labels that were answered; nil without a photo.
    package var recall: Double?
    /// The harmonic mean of precision and recall, as in `f1_score`.
    package var f1: Double?
    /// The area under precision over recall, as in `average_precision_score`; nil if a photo lacks scores.
    package var averagePrecision: Double?
  }

  /// The figures of one class.
  package struct ClassFigures: Sendable, Hashable {
    /// The number of photos with this class.
    package let photoCount: Int
    /// The number of photos that were answered as this class.
    package let answerCount: Int
    /// The number of photos with this class that were answered as it.
    package let rightCount: Int
    /// The area under precision over recall; nil without a photo, and if a photo lacks scores.
    package let averagePrecision: Double?
    /// The share of right answers among its answers; nil without an answer.
    package var precision: Double? { ratio(rightCount, answerCount) }
    /// The share of its photos that were answered as it; nil without a photo.
    package var recall: Double? { ratio(rightCount, photoCount) }
    /// The harmonic mean of precision and recall; nil with neither photos nor answers.
    package var f1: Double? { ratio(2 * rightCount, photoCount + answerCount) }
  }

  /// The number of evaluated photos.
  package let photoCount: Int
  /// The number of photos without an answer; each counts as wrong.
  package let missingCount: Int
  /// The number of classes.
  package let classCount: Int
  /// Whether photos may have several labels.
  package let isMultiLabel: Bool
  /// The share of photos whose first answer is right or, with several labels, is one of them.
  package let accuracy: Double
  /// The share of photos whose class is among the five highest scores, whatever the threshold.
  ///
  /// Among equal scores the highest class comes first, as in `top_k_accuracy_score`; a class without a score
  /// never counts. Nil if a photo lacks some of its highest scores.
  package let topFive: Double?
  /// The number of scores that count for `topFive`.
  package static let topCount = 5
  /// The mean recall of the classes that have photos; nil if photos have several labels.
  package let balancedAccuracy: Double?
  /// The means over the classes that have photos or answers, equally weighted, with 0 for undefined figures.
  ///
  /// The mean average precision is over the classes that have photos.
  package let macro: Averages
  /// The figures over all answers, equally weighted.
  package let micro: Averages
  /// The mean negative logarithm of the right class's score, clipped as in `log_loss`.
  ///
  /// Nil if photos have several labels, if the score of a photo's class was left out, or if the scores of a
  /// photo do not have a sum of about 1: truncated lists, or scores of sigmoids.
  package let logLoss: Double?
  /// The difference between first score and accuracy, in 15 bins; nil if scores are not probabilities, or if
  /// the highest of a photo was left out.
  package let calibrationError: Double?
  /// The bins behind `calibrationError`; empty if that is nil.
  package let reliability: [ReliabilityBin]
  /// Precision and recall over rising thresholds, for all pairs of photo and class.
  package let curve: [Thresholds.Point]
  /// The figures of each class.
  package let classes: [ClassFigures]
  /// The given and answered classes; without photos if photos have several labels.
  package let confusion: ConfusionTable

  /// The standard error of `accuracy`, assuming independent photos.
  package var standardError: Double { (accuracy * (1 - accuracy) / Double(max(1, photoCount))).squareRoot() }
}

/// Returns the share of a part in a whole; nil if the whole is 0.
func ratio(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }

/// Returns the mean of values; nil if there are none.
func mean(_ values: [Double]) -> Double? {
  values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
}
