// SPDX-License-Identifier: Apache-2.0

/// How a trained model answers photos that it has not learned from; of shares, 1 is all.
public struct TrainingFigures: Sendable, Equatable {
  /// The photos that were judged.
  public var photoCount: Int
  /// The share whose likeliest class is right.
  public var accuracy: Double
  /// The standard error of `accuracy`, as of independent photos.
  public var standardError: Double
  /// The mean negative logarithm of the probability of the right class; 0 is best.
  public var logLoss: Double
  /// How far probabilities are from how often answers are right, 0…1, in 15 bins.
  public var calibrationError: Double
  /// The threshold that the model states, 0…1.
  public var threshold: Double
  /// The share of answers at that threshold that are right; nil where there are none.
  public var precision: Double?
  /// The share of photos without an answer at that threshold.
  public var unanswered: Double
}
