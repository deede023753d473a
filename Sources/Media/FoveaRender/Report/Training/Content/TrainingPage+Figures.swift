// SPDX-License-Identifier: Apache-2.0

extension TrainingPage {
  /// How good the answers are, measured in one way.
  package struct Figures: Sendable, Hashable {
    /// How they were measured, as "out of fold" or "test photos".
    package var name: String
    /// How many photos they rest on.
    package var photos: Int
    /// The share of photos whose first answer is right.
    package var accuracy: Double
    /// The standard error of the accuracy.
    package var standardError: Double?
    /// The share of photos whose class is among the first five answers.
    package var topFive: Double?
    /// The mean recall of the classes.
    package var balancedAccuracy: Double?
    /// The mean negative natural logarithm of the score of the right class; less is better.
    package var logLoss: Double?
    /// The expected calibration error; less is better.
    package var calibrationError: Double?
    /// Means over classes, each class counting alike.
    package var macro: Averages?
    /// Means over answers, each answer counting alike.
    package var micro: Averages?

    /// Makes figures that have nothing but the accuracy.
    package init(name: String, photos: Int, accuracy: Double, standardError: Double? = nil) {
      self.name = name
      self.photos = photos
      self.accuracy = accuracy
      self.standardError = standardError
    }
  }

  /// Precision, recall and what follows from them, averaged.
  package struct Averages: Sendable, Hashable {
    package var precision: Double?
    package var recall: Double?
    /// The harmonic mean of precision and recall.
    package var f1: Double?
    package var averagePrecision: Double?

    /// Makes averages.
    package init(
      precision: Double? = nil, recall: Double? = nil, f1: Double? = nil, averagePrecision: Double? = nil
    ) {
      self.precision = precision
      self.recall = recall
      self.f1 = f1
      self.averagePrecision = averagePrecision
    }
  }

  /// The least score of an answer, and what it does.
  package struct Threshold: Sendable, Hashable {
    /// The least score, 0…1.
    package var value: Double
    /// Why it is this one, as "largest F1"; empty where it was given.
    package var reason: String
    /// The share of answers from it on that are right.
    package var rightAnswers: Double?
    /// The share of photos that have no answer from it on.
    package var unanswered: Double?

    /// Makes a threshold.
    package init(
      value: Double, reason: String = "", rightAnswers: Double? = nil, unanswered: Double? = nil
    ) {
      self.value = value
      self.reason = reason
      self.rightAnswers = rightAnswers
      self.unanswered = unanswered
    }
  }
}
