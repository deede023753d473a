// SPDX-License-Identifier: Apache-2.0

/// Goes through rows of (four numbers of the box, objectness, one number for each class): YOLOX and YOLOv5.
struct ObjectnessRows {
  let head: YOLOHead
  let values: [Float]

  /// A row that is above the threshold, with its best class.
  struct Hit {
    var row: Int
    var score: Float
    var classIndex: Int
  }

  /// Calls `body` for each row whose score, objectness · best class, is at least `threshold`.
  ///
  /// - Throws: `invalidOutput` for scores that no sigmoid gives, and when no row is a number.
  func forEachHit(
    threshold: Float, _ body: (Hit) throws(DetectionError) -> Void
  ) throws(DetectionError) {
    let columns = head.layout.columns
    var hasNumbers = false
    var start = 0
    for row in 0..<head.layout.rows {
      let objectness = values[start + 4]
      try head.check(score: objectness, "objectness")
      // A class has at most 1, so that most rows end here. Not-a-number is no score.
      if objectness >= threshold {
        var best = -Float.infinity
        var bestIndex = 5
        for column in 5..<columns where values[start + column] > best {
          best = values[start + column]
          bestIndex = column
        }
        if best > -Float.infinity { try head.check(score: best, "a class's score") }
        if objectness * best >= threshold {
          try body(Hit(row: row, score: min(objectness * best, 1), classIndex: bestIndex - 5))
        }
      }
      hasNumbers = hasNumbers || !objectness.isNaN
      start += columns
    }
    guard hasNumbers else { throw head.noNumbers() }
  }
}
