// SPDX-License-Identifier: Apache-2.0

/// The rows (four numbers of the box, objectness, one number per class) of YOLOX and YOLOv5.
struct ObjectnessRows {
  let decoder: RowDecoder
  let values: [Float]
  let rows: Int
  /// The number of values in a row.
  let columns: Int
  /// The columns of the classes.
  let classes: Range<Int>
  /// The number for a full score: 1, or 100 for scores in percent.
  var full: Float = 1

  /// A row that reaches the threshold, with its best class.
  struct Hit {
    var row: Int
    var score: Float
    var classIndex: Int
  }

  init(
    _ decoder: RowDecoder, _ outputs: [[Float]], objectness: RowLayout.Run, classes: RowLayout.Place?
  ) {
    self.decoder = decoder
    values = outputs[objectness.output]
    (rows, columns) = (objectness.count, objectness.step)
    let first = classes?.runs[0].start ?? 5
    self.classes = first..<(first + (classes?.width ?? 0))
  }

  /// Throws if nearly every row has a confident class, which no image causes.
  func checkBackground() throws(DetectionError) {
    try decoder.checkBackground(rows: rows) { row in
      let objectness = values[row * columns + 4] / full
      guard objectness >= RowDecoder.leastOfCell else { return 0 }
      return objectness * classes.reduce(0) { max($0, values[row * columns + $1]) } / full
    }
  }

  /// Calls `body` for each row whose score, objectness · best class, is at least `threshold`.
  ///
  /// - Throws: `invalidOutput` for scores that no sigmoid returns, and for numbers that are not finite
  ///   as an objectness or as a class, whatever the threshold.
  func forEachHit(threshold: Float, _ body: (Hit) throws(DetectionError) -> Void) throws(DetectionError) {
    var scores = ReadScores()
    var start = 0
    for row in 0..<rows {
      let objectness = values[start + 4] / full
      try decoder.check(score: objectness, "objectness")
      let most = largestNumber(
        in: values, from: start + classes.lowerBound, count: classes.count, areLogits: false)
      guard !most.isNaN || objectness.isNaN else { throw decoder.notANumber("a score of row \(row)") }
      let best = most / full
      // A class score is at most 1, so most rows end here.
      let isHit = objectness >= threshold
      if best == .infinity || isHit && best > -.infinity { try decoder.check(score: best, "a class's score") }
      if isHit, objectness * best >= threshold {
        let column = classes.first { values[start + $0] == most } ?? classes.lowerBound
        try body(
          Hit(row: row, score: min(objectness * best, 1), classIndex: column - classes.lowerBound))
      }
      scores.add(objectness, of: row)
      start += columns
    }
    try decoder.check(scores)
  }
}
