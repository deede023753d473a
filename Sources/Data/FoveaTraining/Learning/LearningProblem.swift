// SPDX-License-Identifier: Apache-2.0

/// Why numbers cannot be learned from; rows are counted from 0.
package enum LearningProblem: Error, Equatable {
  /// There are no rows, or rows without numbers.
  case empty
  /// A row has another length than the first.
  case length(row: Int, found: Int, expected: Int)
  /// A row has a number that is infinite or none.
  case notFinite(row: Int)
  /// All rows are the same, so that nothing can be learned.
  case constant
  /// There is no label for each row, or one that is no class.
  case labels
  /// There are fewer than two classes.
  case oneClass
  /// The task that learns was cancelled.
  case cancelled
}
