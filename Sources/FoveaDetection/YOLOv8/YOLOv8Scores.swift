// SPDX-License-Identifier: Apache-2.0

/// The best class of each answer of a YOLOv8.
struct YOLOv8Scores {
  /// The best score of each answer; minus infinity where none is a number.
  private(set) var scores: [Float]
  /// Which class has it, the first of equal ones.
  private(set) var classes: [Int32]

  /// Finds them in `layout.rows` · `layout.columns` numbers.
  init(_ values: [Float], layout: YOLOLayout) {
    let rows = layout.rows
    scores = Array(repeating: -.infinity, count: rows)
    classes = Array(repeating: 0, count: rows)
    guard layout.isTransposed else {
      for row in 0..<rows {
        let start = row * layout.columns
        for column in 4..<layout.columns where values[start + column] > scores[row] {
          scores[row] = values[start + column]
          classes[row] = Int32(truncatingIfNeeded: column - 4)
        }
      }
      return
    }
    // Class by class, so that memory is read in order and the compiler takes several answers at a time.
    // SAFETY: row < rows and column < columns, and `values` has rows · columns numbers.
    unsafe values.withUnsafeBufferPointer { values in
      unsafe scores.withUnsafeMutableBufferPointer { scores in
        unsafe classes.withUnsafeMutableBufferPointer { classes in
          for column in 4..<layout.columns {
            let index = Int32(truncatingIfNeeded: column - 4)
            let start = column * rows
            for row in 0..<rows {
              let value = unsafe values[start &+ row]
              let isBetter = unsafe value > scores[row]
              unsafe scores[row] = isBetter ? value : scores[row]
              unsafe classes[row] = isBetter ? index : classes[row]
            }
          }
        }
      }
    }
  }
}
