// SPDX-License-Identifier: Apache-2.0

extension ObjectnessRows {
  /// Quantised numbers further apart than this leave no room for scores of 0…1.
  private static let largestStep: Float = 0.4
  /// The farthest that places are from their cells on average, in cells; a YOLOv5's are at most one to each side.
  private static let nearCell: Float = 1.5

  /// The same rows, with the unit that their scores have: percent as Swift-YOLO's exporter writes them, else 0…1.
  ///
  /// Percent is not assumed: it takes three rows for each cell of the input whose places are pixels near their cells, and
  /// objectness and classes of 0…100 among which one is beyond what 0…1 can reach. Rows of another family, and of a model
  /// without its sigmoid, are not so.
  ///
  /// **Source:** Seeed-Studio/SSCMA-Micro, `el_algorithm_yolo.cpp`, `postprocess`: what is quantised in steps of a tenth and
  /// more has pixels and percent, what is finer fractions.
  /// - Throws: `invalidOutput` where the numbers are too coarse for scores of 0…1 and no percent either.
  func withUnit(inPixels: Bool, _ cells: CellSample?) throws(DetectionError) -> ObjectnessRows {
    let slack = 0.02 + head.step / 2
    let isBeyond = largest(in: sampledRows(of: head.layout.rows)) > 1 + slack
    if isBeyond, inPixels, let cells, isPercent(slack), isNear(cells) {
      var rows = self
      rows.full = 100
      return rows
    }
    guard head.step <= Self.largestStep else {
      throw head.invalid(
        "answers in steps of \(head.step), which leave no room for scores of 0…1, and its scores are not percent"
      )
    }
    return self
  }

  /// The largest objectness or class of some rows.
  private func largest(in rows: StrideTo<Int>) -> Float {
    var most = -Float.infinity
    for row in rows {
      for column in 4..<classes.upperBound {
        let value = values[row * head.layout.columns + column]
        if value > most { most = value }
      }
    }
    return most
  }

  /// Whether all scores are 0…100, and a class is more than 1.
  private func isPercent(_ slack: Float) -> Bool {
    var most: Float = 0
    for row in 0..<head.layout.rows {
      let start = row * head.layout.columns
      let objectness = values[start + 4]
      guard objectness >= -slack, objectness <= 100 + 2 + slack else { return false }
      for column in classes {
        let value = values[start + column]
        guard value >= -slack, value <= 100 + 2 + slack else { return false }
        most = max(most, value)
      }
    }
    return most > 1 + slack
  }

  private func isNear(_ cells: CellSample) -> Bool {
    cells.distance { row in
      (values[row * head.layout.columns], values[row * head.layout.columns + 1])
    } <= Self.nearCell
  }
}
