// SPDX-License-Identifier: Apache-2.0

/// The best class score of each row.
///
/// The class with this score is looked up on demand, as few rows reach the threshold.
struct BestScores {
  /// The best score of each row; NaN if one of its scores is NaN, or minus infinity and no logit.
  private(set) var scores: [Float]
  private let outputs: [[Float]]
  private let place: RowLayout.Place

  /// Finds the best scores in outputs of the sizes that the layout of `place` has.
  init(_ outputs: [[Float]], _ place: RowLayout.Place, areLogits: Bool) {
    let least = leastScore(areLogits)
    self.outputs = outputs
    self.place = place
    let width = place.width
    scores = Array(repeating: -.infinity, count: place.runs.reduce(0) { $0 + $1.count })
    var first = 0
    for run in place.runs where run.count > 0 && width > 0 {
      let values = outputs[run.output]
      let (start, step, jump, rows) = (run.start, run.step, run.jump, run.count)
      precondition(start + (rows - 1) * step + (width - 1) * jump < values.count, "\(values.count) numbers")
      // SAFETY: the last number of the last row lies within the values, as just checked, and `scores` has a
      // number for each row of all runs.
      unsafe values.withUnsafeBufferPointer { values in
        unsafe scores.withUnsafeMutableBufferPointer { scores in
          guard let base = values.baseAddress else { return }
          guard step == 1 else {
            for row in 0..<rows {
              unsafe scores[first &+ row] = unsafe largestNumber(
                base + (start &+ row &* step), count: width, areLogits: areLogits)
            }
            return
          }
          // Class by class, so that memory is read in order and the compiler vectorises over rows.
          for column in 0..<width {
            let start = start &+ column &* jump
            for row in 0..<rows {
              let value = unsafe values[start &+ row]
              let best = unsafe scores[first &+ row]
              // NaN stays, as no number is larger.
              unsafe scores[first &+ row] = value >= least ? (value > best ? value : best) : .nan
            }
          }
        }
      }
      first += rows
    }
  }

  /// Returns the scores of the classes of a row.
  func classes(of row: Int) -> some Sequence<Float> {
    var row = row
    var index = 0
    while row >= place.runs[index].count {
      row -= place.runs[index].count
      index += 1
    }
    let (run, values) = (place.runs[index], outputs[place.runs[index].output])
    let start = run.start + row * run.step
    return (0..<place.width).lazy.map { values[start + $0 * run.jump] }
  }

  /// Returns the class with the best score of a row, the first of equal ones.
  func classIndex(of row: Int) -> Int {
    classes(of: row).enumerated().first { $0.element == scores[row] }?.offset ?? 0
  }
}
