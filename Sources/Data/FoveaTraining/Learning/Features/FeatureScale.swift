// SPDX-License-Identifier: Apache-2.0

/// The centre of each feature and one scale for all: a = (x - mean) / scale.
///
/// One scale keeps the proportions of a backbone's features, and a strength has the same effect for every
/// backbone; a scale per feature is worse with few photos.
package struct FeatureScale: Sendable, Equatable {
  /// The mean of each feature.
  package let mean: [Float]
  /// The root of the mean squared distance from the mean, above 0.
  package let scale: Float

  /// Measures the rows of a training set.
  /// - Parameters:
  ///   - features: The features.
  ///   - rows: The indices of the rows to use; at least one.
  /// - Throws: `LearningProblem.empty` without rows, `.constant` if all are the same.
  package init(of features: FeatureMatrix, rows: [Int]) throws(LearningProblem) {
    guard !rows.isEmpty else { throw .empty }
    let count = Double(rows.count)
    var sums = [Double](repeating: 0, count: features.columnCount)
    for row in rows {
      for (column, value) in features[row].enumerated() { sums[column] += Double(value) }
    }
    let means = sums.map { $0 / count }
    var squares = 0.0
    for row in rows {
      for (column, value) in features[row].enumerated() {
        let distance = Double(value) - means[column]
        squares += distance * distance
      }
    }
    mean = means.map { Float($0) }
    scale = Float((squares / count).squareRoot())
    // A sum of squares within rounding counts as zero.
    let size = means.reduce(0) { $0 + $1 * $1 }
    guard squares / count > 1e-12 * max(size, .leastNormalMagnitude) else { throw .constant }
  }

  /// Returns the features as a head learns them.
  package func scaled(_ features: FeatureMatrix) -> FeatureMatrix {
    var values = features.values
    for row in 0..<features.rowCount {
      let start = row * features.columnCount
      for column in 0..<features.columnCount {
        values[start + column] = (values[start + column] - mean[column]) / scale
      }
    }
    return FeatureMatrix(rowCount: features.rowCount, columnCount: features.columnCount, values: values)
  }
}
