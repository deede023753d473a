// SPDX-License-Identifier: Apache-2.0

/// How well a classifier answers labelled photos; shares, precision, recall and the like are 0…1.
///
/// An answer is one whose score reaches the threshold. Where photos have one class each, the first answer alone counts as
/// what a photo was answered as; where they have several, each answer does.
///
/// **Source:** scikit-learn 1.9.1, `sklearn.metrics`; what differs is said where it does.
package struct LabelMetrics: Sendable {
  /// Precision, recall and what follows from them, averaged.
  package struct Averages: Sendable, Hashable {
    /// The share of answers that are right; nil without an answer.
    package var precision: Double?
    /// The share of given labels that were answered; nil without a photo.
    package var recall: Double?
    /// The harmonic mean of precision and recall, as `f1_score` has it.
    package var f1: Double?
    /// The area under precision over recall, as `average_precision_score` has it.
    package var averagePrecision: Double?
  }

  /// The figures of one class.
  package struct ClassFigures: Sendable, Hashable {
    /// How many photos have it.
    package let photoCount: Int
    /// How many photos were answered as it.
    package let answerCount: Int
    /// How many photos of it were answered as it.
    package let rightCount: Int
    /// The area under precision over recall; nil without a photo.
    package let averagePrecision: Double?
    /// The share of its answers that are right; nil without an answer.
    package var precision: Double? { ratio(rightCount, answerCount) }
    /// The share of its photos that are answered as it; nil without a photo.
    package var recall: Double? { ratio(rightCount, photoCount) }
    /// The harmonic mean of precision and recall; nil with neither photo nor answer.
    package var f1: Double? { ratio(2 * rightCount, photoCount + answerCount) }
  }

  /// How many photos were judged.
  package let photoCount: Int
  /// How many of them have no answer; each counts as wrong.
  package let missingCount: Int
  /// How many classes there are.
  package let classCount: Int
  /// Whether photos may have several labels.
  package let isMultiLabel: Bool
  /// The share of photos whose first answer is right; with several labels, is one of them.
  package let accuracy: Double
  /// The share of photos whose class is among the first five scores, whatever the threshold.
  ///
  /// Of equal scores the highest class goes first, as in `top_k_accuracy_score`; a class without a score is never among them.
  package let topFive: Double
  /// How many scores that are.
  package static let topCount = 5
  /// The mean recall of the classes that have photos; nil where photos have several labels.
  package let balancedAccuracy: Double?
  /// Means over the classes that have photos or answers, each counting alike, with 0 where a figure is undefined.
  ///
  /// Of average precision, the mean over the classes that have photos.
  package let macro: Averages
  /// Over all answers, each counting alike.
  package let micro: Averages
  /// The mean negative logarithm of the score of the right class, clipped as `log_loss` does.
  ///
  /// Nil where photos have several labels, and where the scores of a photo do not add up to about 1: lists that were cut,
  /// or scores of sigmoids.
  package let logLoss: Double?
  /// How far the first score is from how often it is right, in 15 bins; nil where scores are no probabilities of one class.
  package let calibrationError: Double?
  /// What `calibrationError` is made of; empty where that is nil.
  package let reliability: [ReliabilityBin]
  /// Precision and recall over rising thresholds, of all pairs of photo and class.
  package let curve: [Thresholds.Point]
  /// Each class.
  package let classes: [ClassFigures]
  /// What was answered as what; without a photo where photos have several labels.
  package let confusion: ConfusionTable

  /// The standard error of `accuracy`, as of independent photos.
  package var standardError: Double { (accuracy * (1 - accuracy) / Double(max(1, photoCount))).squareRoot() }
}

/// A share; nil of nothing.
func ratio(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }
