// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension YOLOHead {
  /// Whether quantised numbers are so far apart that they leave no room for scores of 0…1.
  fileprivate var isCoarse: Bool { step > 0.4 }

  /// What users have to know of a model whose scores can be nothing but percent.
  var unitNotes: [Advice] {
    guard isCoarse else { return [] }
    return [
      "'\(modelName)' answers in steps of \(step), too coarse for scores of 0 to 1: they are read as percent"
    ]
  }
}

extension ObjectnessRows {
  /// The farthest that places are from their cells on average, in cells; a YOLOv5's are at most one to each side.
  private static let nearCell: Float = 1.5

  /// The same rows, with the unit that their scores have: percent as Swift-YOLO's exporter writes them, else 0…1.
  ///
  /// Percent is not assumed: it takes three rows for each cell of the input whose places are pixels near their cells, and
  /// objectness and classes of 0…100 among which one is beyond what 0…1 can reach, or whose steps are. Rows of another
  /// family, and of a model without its sigmoid, are not so.
  ///
  /// **Source:** Seeed-Studio/SSCMA-Micro, `el_algorithm_yolo.cpp`, `postprocess`: what is quantised in steps of a tenth and
  /// more has pixels and percent, what is finer fractions.
  /// - Throws: `invalidOutput` where the numbers are too coarse for scores of 0…1 and no percent either.
  func withUnit(inPixels: Bool, _ cells: CellSample?) throws(DetectionError) -> ObjectnessRows {
    let slack = 0.02 + head.step / 2
    if inPixels, let cells, head.isCoarse || isBeyond(1 + slack), isPercent(slack), isNear(cells) {
      var rows = self
      rows.full = 100
      return rows
    }
    guard !head.isCoarse else {
      throw head.invalid(
        "answers in steps of \(head.step), which leave no room for scores of 0…1, and its scores are not percent"
      )
    }
    return self
  }

  /// Whether an objectness is above a limit, or a class where there is some objectness or the row is of the sample: without, no
  /// unit makes an object.
  private func isBeyond(_ limit: Float) -> Bool {
    var sample = sampledRows(of: head.layout.rows).makeIterator()
    var sampled = sample.next()
    for row in 0..<head.layout.rows {
      let isSampled = row == sampled
      if isSampled { sampled = sample.next() }
      let start = row * head.layout.columns
      let objectness = values[start + 4]
      if objectness > limit { return true }
      guard isSampled || objectness > 0.01 else { continue }
      for column in classes where values[start + column] > limit { return true }
    }
    return false
  }

  /// Whether all scores are 0…100, and a class is more than 1, unless the steps show the unit.
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
    return head.isCoarse || most > 1 + slack
  }

  private func isNear(_ cells: CellSample) -> Bool {
    cells.distance { row in
      (values[row * head.layout.columns], values[row * head.layout.columns + 1])
    } <= Self.nearCell
  }
}
