// SPDX-License-Identifier: Apache-2.0

/// A linear head with a softmax: a weight for each feature and class, and a bias for each class.
package struct SoftmaxRegression: Sendable {
  /// The weights, class by class.
  package private(set) var weights: [Double]
  package private(set) var biases: [Double]
  /// The value of the objective at the end of the fit; 0 before one.
  package private(set) var loss = 0.0
  /// The largest component of the gradient there.
  package private(set) var gradient = 0.0
  package private(set) var steps = 0

  /// Creates a head for which all classes are equally likely.
  init(classCount: Int, featureCount: Int) {
    weights = [Double](repeating: 0, count: classCount * featureCount)
    biases = [Double](repeating: 0, count: classCount)
  }

  /// Fits a head to labelled features.
  /// - Parameters:
  ///   - features: The features, scaled (``FeatureScale``).
  ///   - labels: The class of each row, from 0.
  ///   - rows: The training rows; nil for all.
  ///   - classCount: The number of classes, at least 2.
  ///   - strength: The penalty l on large weights in J = CE + l/2 |W|², above 0.
  ///   - start: A head to start from, for example one of a larger strength; the result does not depend on it.
  ///   - optimizer: The search, with its stop conditions.
  /// - Throws: `LearningProblem` if labels do not fit.
  package init(
    _ features: FeatureMatrix, labels: [Int], rows: [Int]? = nil, classCount: Int, strength: Double,
    from start: SoftmaxRegression? = nil, optimizer: LBFGS = LBFGS()
  ) throws(LearningProblem) {
    guard classCount >= 2 else { throw .oneClass }
    guard labels.count == features.rowCount, labels.allSatisfy((0..<classCount).contains) else {
      throw .labels
    }
    let rows = rows ?? Array(0..<features.rowCount)
    guard !rows.isEmpty else { throw .empty }
    let objective = SoftmaxObjective(
      features: features, labels: labels, rows: rows, classCount: classCount, strength: strength)
    let first = start ?? SoftmaxRegression(classCount: classCount, featureCount: features.columnCount)
    let found = optimizer.minimum(from: first.weights + first.biases) { point, gradient in
      objective.value(at: point, gradient: &gradient)
    }
    weights = Array(found.point.dropLast(classCount))
    biases = found.point.suffix(classCount)
    loss = found.value
    gradient = found.gradient.reduce(0) { max($0, abs($1)) }
    steps = found.steps
  }
}
