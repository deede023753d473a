// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Pairs rows and columns so that the sum of the pairs' weights is maximal.
struct FrameMatcher {
  private var assignment = SparseAssignment()
  private var pairs: [SparseAssignment.Pair] = []

  /// Removes the pairs of the last frame.
  mutating func begin() { pairs.removeAll(keepingCapacity: true) }

  /// Allows a pair, with a weight above 0.
  mutating func allow(row: Int32, column: Int32, weight: Double) {
    pairs.append(SparseAssignment.Pair(row: Int(row), column: Int(column), cost: -weight))
  }

  /// Finds the pairs and stores them in `columnOfRow`.
  mutating func match(rows: Int, columns: Int) {
    assignment.solve(rows: rows, columns: columns, pairs: pairs, limit: 0)
  }

  /// The column that each row is paired with; -1 for none.
  var columnOfRow: [Int] { assignment.columnOfRow }
}
