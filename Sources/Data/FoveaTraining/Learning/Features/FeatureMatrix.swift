// SPDX-License-Identifier: Apache-2.0

/// The feature vectors of photos, one per row.
package struct FeatureMatrix: Sendable {
  package let rowCount: Int
  package let columnCount: Int
  /// The features, row by row.
  let values: [Float]

  /// Creates a matrix from consecutive vectors, without a copy.
  /// - Parameters:
  ///   - columnCount: The length of each, at least 1.
  ///   - values: Row by row: `[rows, columnCount]`.
  /// - Throws: `LearningProblem` if there are no rows, the last row is incomplete, or numbers are not finite.
  package init(columnCount: Int, values: [Float]) throws(LearningProblem) {
    guard columnCount > 0, !values.isEmpty else { throw .empty }
    let rest = values.count % columnCount
    guard rest == 0 else {
      throw .length(row: values.count / columnCount, found: rest, expected: columnCount)
    }
    if let index = values.firstIndex(where: { !$0.isFinite }) { throw .notFinite(row: index / columnCount) }
    self.init(rowCount: values.count / columnCount, columnCount: columnCount, values: values)
  }

  init(rowCount: Int, columnCount: Int, values: [Float]) {
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.values = values
  }

  /// The values of a row.
  package subscript(row: Int) -> ArraySlice<Float> { values[row * columnCount..<(row + 1) * columnCount] }
}
