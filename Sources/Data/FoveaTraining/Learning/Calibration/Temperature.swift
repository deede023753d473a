// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The divisor of scores that makes a probability match the frequency of right answers.
///
/// Fitted on scores of held-out photos. It is 1 for fewer than 50 photos, where fitting does harm.
///
/// **Source:** Guo, Pleiss, Sun, Weinberger, "On Calibration of Modern Neural Networks", ICML 2017.
package struct Temperature: Sendable, Equatable {
  package let value: Double

  private static let leastCount = 50
  private static let range = -3.0...3.0
  private static let precision = 1e-6

  /// Finds the temperature with the least log loss by golden-section search over its logarithm.
  /// - Parameters:
  ///   - scores: The scores of each photo, before softmax or sigmoid: `[photos][classCount]`.
  ///   - targets: The targets of the photos.
  /// - Throws: `LearningProblem.labels` if targets do not fit.
  package init(scores: [[Double]], targets: Targets) throws(LearningProblem) {
    try Calibration.check(scores, targets)
    guard targets.count >= Temperature.leastCount else {
      value = 1
      return
    }
    let loss = { (logarithm: Double) in
      Calibration.logLoss(scores, targets, temperature: exp(logarithm))
    }
    let ratio = (5.0.squareRoot() - 1) / 2
    var (low, high) = (Temperature.range.lowerBound, Temperature.range.upperBound)
    var left = high - ratio * (high - low)
    var right = low + ratio * (high - low)
    var (leftLoss, rightLoss) = (loss(left), loss(right))
    while high - low > Temperature.precision {
      if leftLoss <= rightLoss {
        (high, right, rightLoss) = (right, left, leftLoss)
        left = high - ratio * (high - low)
        leftLoss = loss(left)
      } else {
        (low, left, leftLoss) = (left, right, rightLoss)
        right = low + ratio * (high - low)
        rightLoss = loss(right)
      }
    }
    value = exp((low + high) / 2)
  }
}
