// SPDX-License-Identifier: Apache-2.0

/// The best score of each answer of a YOLOv8.
///
/// Which class has it is looked for where it is asked: few answers are above a threshold.
struct YOLOv8Scores {
  /// The best score of each answer; minus infinity where none is a number.
  private(set) var scores: [Float]
  private let values: [Float]
  private let layout: YOLOLayout

  /// Finds them in `layout.rows` · `layout.columns` numbers.
  init(_ values: [Float], layout: YOLOLayout) {
    let (rows, columns) = (layout.rows, layout.columns)
    self.values = values
    self.layout = layout
    scores = Array(repeating: -.infinity, count: rows)
    // SAFETY: row < rows and column < columns, and `values` has rows · columns numbers.
    unsafe values.withUnsafeBufferPointer { values in
      unsafe scores.withUnsafeMutableBufferPointer { scores in
        guard let base = values.baseAddress else { return }
        guard layout.isTransposed else {
          for row in 0..<rows {
            unsafe scores[row] = unsafe largestNumber(base + (row &* columns &+ 4), count: columns - 4)
          }
          return
        }
        // Class by class, so that memory is read in order and the compiler takes several answers at a time.
        for column in 4..<columns {
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

  /// Which class of an answer has its best score, the first of equal ones.
  func classIndex(of row: Int) -> Int {
    let (step, jump) = layout.isTransposed ? (1, layout.rows) : (layout.columns, 1)
    for column in 4..<layout.columns where values[row * step + column * jump] == scores[row] {
      return column - 4
    }
    return 0
  }
}
