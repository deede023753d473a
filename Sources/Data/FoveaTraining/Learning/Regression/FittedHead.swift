// SPDX-License-Identifier: Apache-2.0

/// The head of a model: a weight for each feature and class, and a bias for each class.
///
/// Its scores are those before the softmax, or before the sigmoid of each class.
package struct FittedHead: Sendable {
  /// The weights by class, row by row: `[classCount, columnCount]`, for features scaled by ``FeatureScale``.
  package var weights: [Double]
  /// The bias of each class: `[classCount]`.
  package var biases: [Double]
  /// The largest number of steps of a fit.
  package private(set) var steps = 0

  /// Fits a head to all rows until convergence: a gradient of 1e-6, or 500 steps.
  ///
  /// With several classes per photo, each class is its own problem: the mean of -ln p, and l/2 |w|² for its
  /// weights w. A softmax of two classes costs half as much for the same difference of weights, so its
  /// strength is 2 l.
  /// - Parameters:
  ///   - features: The features, scaled (``FeatureScale``): `[photos, columnCount]`.
  ///   - targets: The targets of the rows.
  ///   - classCount: The number of classes: at least 2 with one class per photo, otherwise at least 1.
  ///   - strength: The penalty l on large weights, above 0, as ``CrossValidation`` finds it.
  ///   - jobs: The maximum number of threads, one per class with several classes per photo; the result does
  ///     not depend on it.
  /// - Throws: `LearningProblem` if targets do not fit.
  package init(
    _ features: FeatureMatrix, targets: Targets, classCount: Int, strength: Double, jobs: Int = 1
  ) throws(LearningProblem) {
    try targets.check(photoCount: features.rowCount, classCount: classCount)
    let fit = HeadFit(features: features, targets: targets, classCount: classCount)
    self = try fit.head(
      rows: Array(0..<features.rowCount), strength: strength, optimizer: LBFGS(), jobs: jobs
    ).head
  }

  package init(_ regressions: [SoftmaxRegression], isSeveral: Bool) {
    if isSeveral {
      weights = regressions.flatMap { each in
        let width = each.weights.count / 2
        return (0..<width).map { each.weights[width + $0] - each.weights[$0] }
      }
      biases = regressions.map { $0.biases[1] - $0.biases[0] }
    } else {
      weights = regressions[0].weights
      biases = regressions[0].biases
    }
    steps = regressions.map(\.steps).max() ?? 0
  }

  /// Returns the scores of a row, before softmax or sigmoid: `[classCount]`.
  package func scores(_ features: FeatureMatrix, row: Int) -> [Double] {
    let values = features[row]
    let width = weights.count / max(1, biases.count)
    return biases.indices.map { index in
      var sum = biases[index]
      for (weight, value) in zip(weights[index * width..<(index + 1) * width], values) {
        sum += weight * Double(value)
      }
      return sum
    }
  }
}
