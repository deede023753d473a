// SPDX-License-Identifier: Apache-2.0

/// Evaluates a classifier's answers against the labels of photos.
package struct LabelEvaluator: Sendable {
  /// The minimum score of an answer, 0…1; lower scores still count for top 5, average precision, log loss and
  /// calibration.
  package let threshold: Double
  /// The number of classes.
  package let classCount: Int
  /// Whether photos may have several labels.
  package let isMultiLabel: Bool

  private static let calibrationBins = 15

  /// Creates an evaluator.
  package init(classCount: Int, threshold: Double = 0, isMultiLabel: Bool = false) {
    self.classCount = classCount
    self.threshold = threshold
    self.isMultiLabel = isMultiLabel
  }

  /// Returns the figures of photos, whose classes are all below `classCount`.
  /// - Complexity: O(*n* log *n*) for *n* answers; no memory for classes without a score in a photo.
  package func evaluate(_ photos: [LabeledPhoto]) -> LabelMetrics {
    let tally = LabelTally(photos, self)
    let curves = ScoreCurves(photos, classCount: classCount)
    let scores = isMultiLabel ? nil : FirstScores(photos, bins: Self.calibrationBins)
    let classes = tally.classes(averagePrecisions: curves.classes)
    return LabelMetrics(
      photoCount: photos.count, missingCount: tally.missingCount, classCount: classCount,
      isMultiLabel: isMultiLabel, accuracy: ratio(tally.rightCount, photos.count) ?? 0,
      topFive: tally.isTopFiveKnown ? ratio(tally.topFiveCount, photos.count) ?? 0 : nil,
      balancedAccuracy: isMultiLabel ? nil : mean(classes.compactMap(\.recall)),
      macro: macro(classes), micro: micro(classes, curves.averagePrecision),
      logLoss: scores?.logLoss, calibrationError: scores?.calibrationError,
      reliability: scores?.reliability ?? [], curve: curves.all, classes: classes,
      confusion: tally.confusion)
  }

  private func macro(_ classes: [LabelMetrics.ClassFigures]) -> LabelMetrics.Averages {
    let present = classes.filter { $0.photoCount > 0 || $0.answerCount > 0 }
    return LabelMetrics.Averages(
      precision: mean(present.map { $0.precision ?? 0 }), recall: mean(present.map { $0.recall ?? 0 }),
      f1: mean(present.map { $0.f1 ?? 0 }), averagePrecision: mean(classes.compactMap(\.averagePrecision)))
  }

  private func micro(
    _ classes: [LabelMetrics.ClassFigures], _ averagePrecision: Double?
  ) -> LabelMetrics.Averages {
    let right = classes.reduce(0) { $0 + $1.rightCount }
    let answers = classes.reduce(0) { $0 + $1.answerCount }
    let given = classes.reduce(0) { $0 + $1.photoCount }
    return LabelMetrics.Averages(
      precision: ratio(right, answers), recall: ratio(right, given), f1: ratio(2 * right, answers + given),
      averagePrecision: averagePrecision)
  }
}
