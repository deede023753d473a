// SPDX-License-Identifier: Apache-2.0

/// The best score of each row of a detector without objectness.
///
/// The class with this score is looked up on demand, as few rows reach the threshold.
struct BestScores {
  /// The best score of each row; minus infinity if all scores are NaN.
  private(set) var scores: [Float]
  private let values: [Float]
  private let layout: YOLOLayout
  /// The columns of the classes.
  private let classes: Range<Int>

  /// Finds the best scores in `layout.rows` · `layout.columns` numbers whose classes begin at column `first`.
  init(_ values: [Float], layout: YOLOLayout, from first: Int) {
    let (rows, columns) = (layout.rows, layout.columns)
    let classes = first..<min(first + (layout.classCount ?? columns - first), columns)
    precondition(values.count == rows * columns && first <= columns, "\(values.count) numbers")
    self.values = values
    self.layout = layout
    self.classes = classes
    scores = Array(repeating: -.infinity, count: rows)
    // SAFETY: row < rows and column < columns, and `values` has rows · columns numbers.
    unsafe values.withUnsafeBufferPointer { values in
      unsafe scores.withUnsafeMutableBufferPointer { scores in
        guard let base = values.baseAddress else { return }
        guard layout.isTransposed else {
          for row in 0..<rows {
            unsafe scores[row] = unsafe largestNumber(base + (row &* columns &+ first), count: classes.count)
          }
          return
        }
        // Class by class, so that memory is read in order and the compiler vectorises over rows.
        for column in classes {
          let start = column &* rows
          for row in 0..<rows {
            let value = unsafe values[start &+ row]
            let best = unsafe scores[row]
            unsafe scores[row] = value > best ? value : best
          }
        }
      }
    }
  }

  /// Returns the class with the best score of a row, the first of equal ones.
  func classIndex(of row: Int) -> Int {
    let (step, jump) = layout.steps
    for column in classes where values[row * step + column * jump] == scores[row] {
      return column - classes.lowerBound
    }
    return 0
  }
}
