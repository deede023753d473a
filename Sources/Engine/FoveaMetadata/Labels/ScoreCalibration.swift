// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A calibration that makes the scores of different classes comparable, with one sigmoid per class.
///
/// `f(x) = scale / (1 + exp(-(slope * g(x) + offset)))`, with g the identity, the logarithm or the inverse
/// logistic function; a class without a sigmoid, and a score below the class's minimum, get the default
/// score. A score equal to the minimum is calibrated: the schema's text differs, but TFLite's own
/// implementation does this, and quantised scores can have exactly that value. Source:
/// `ScoreCalibrationOptions` in `metadata_schema.fbs` and `task/core/score_calibration.cc` of TFLite Support.
public struct ScoreCalibration: Sendable, Hashable {
  /// The curve of one class.
  public struct Sigmoid: Sendable, Hashable {
    /// The largest calibrated score.
    public var scale: Float
    /// The slope of the curve.
    public var slope: Float
    /// The offset of the curve.
    public var offset: Float
    /// The minimum score to calibrate; nil for any.
    public var minimumScore: Float?

    /// Creates a curve.
    public init(scale: Float, slope: Float, offset: Float, minimumScore: Float? = nil) {
      self.scale = scale
      self.slope = slope
      self.offset = offset
      self.minimumScore = minimumScore
    }
  }

  /// The curve of each class; nil for a class that always gets the default score.
  public var sigmoids: [Sigmoid?]
  /// The options for all classes.
  public var options: ScoreCalibrationOptions

  /// Creates a calibration.
  public init(sigmoids: [Sigmoid?], options: ScoreCalibrationOptions) {
    self.sigmoids = sigmoids
    self.options = options
  }

  /// Returns the calibrated score of a class; the default score for a class without a curve.
  public func apply(_ score: Float, classIndex: Int) -> Float {
    guard sigmoids.indices.contains(classIndex), let sigmoid = sigmoids[classIndex] else {
      return options.defaultScore
    }
    if let least = sigmoid.minimumScore, !(score >= least) { return options.defaultScore }
    let exponent = Double(transform(score) * sigmoid.slope + sigmoid.offset)
    // The form with a negative argument of exp never overflows.
    let power = exp(-exponent.magnitude)
    let logistic = exponent >= 0 ? 1 / (1 + power) : power / (1 + power)
    return Float(Double(sigmoid.scale) * logistic)
  }

  /// Calibrates a classifier's scores in place, starting with class 0.
  package func apply(to scores: inout [Float]) {
    for index in scores.indices { scores[index] = apply(scores[index], classIndex: index) }
  }

  private func transform(_ score: Float) -> Float {
    switch options.transformation {
    case .identity: score
    case .log: Self.boundedLog(Double(score))
    case .inverseLogistic: Self.boundedLog(Double(score)) - Self.boundedLog(1 - Double(score))
    }
  }

  /// Returns the logarithm, extended below 1e-16 by its mirror image, so that values of 0 and less keep their
  /// order.
  private static func boundedLog(_ value: Double) -> Float {
    let least = 1e-16
    return Float(value < least ? 2 * log(least) - log(2 * least - value) : log(value))
  }
}
