// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension RowDecoder {
  /// Whether the quantisation step is too coarse for scores of 0…1.
  fileprivate var isCoarse: Bool { layout.places[.objectness] != nil && layout.perCell == 3 && step > 0.4 }

  /// The note for users of a model whose scores can only be percent.
  var unitNotes: [Advice] {
    guard isCoarse else { return [] }
    return [
      "'\(modelName)' has output steps of \(step), too coarse for scores of 0 to 1: they are read as percent"
    ]
  }
}

extension ObjectnessRows {
  /// The largest mean distance of positions from their cells, in cells; YOLOv5's is at most 1 each way.
  private static let nearCell: Float = 1.5

  /// Returns the same rows with the unit of their scores: percent in Swift-YOLO's exports, otherwise 0…1.
  ///
  /// Percent is not the default. It requires three rows per cell with positions in pixels near their cells,
  /// and objectness and classes in 0…100 of which one exceeds 1, or whose steps do. Rows of another family,
  /// or of a model without its sigmoid, do not meet these conditions.
  ///
  /// **Source:** Seeed-Studio/SSCMA-Micro, `el_algorithm_yolo.cpp`, `postprocess`: outputs quantised in steps
  /// of a tenth or more have pixels and percent, finer ones fractions.
  /// - Throws: `invalidOutput` if the numbers are too coarse for scores of 0…1 but are not percent.
  func withUnit(inPixels: Bool, _ cells: CellSample?) throws(DetectionError) -> ObjectnessRows {
    let slack = 0.02 + decoder.step / 2
    if inPixels, let cells, decoder.isCoarse || isBeyond(1 + slack), isPercent(slack), isNear(cells) {
      var rows = self
      rows.full = 100
      return rows
    }
    guard !decoder.isCoarse else {
      throw decoder.invalid(
        "has output steps of \(decoder.step), which leave no room for scores of 0…1,"
          + " and its scores are not percent"
      )
    }
    return self
  }

  /// Returns whether an objectness exceeds a limit, or a class score in a row that has some objectness or is
  /// part of the sample; without objectness, no unit turns a row into an object.
  private func isBeyond(_ limit: Float) -> Bool {
    var sample = sampledRows(of: rows).makeIterator()
    var sampled = sample.next()
    for row in 0..<rows {
      let isSampled = row == sampled
      if isSampled { sampled = sample.next() }
      let start = row * columns
      let objectness = values[start + 4]
      if objectness > limit { return true }
      guard isSampled || objectness > 0.01 else { continue }
      for column in classes where values[start + column] > limit { return true }
    }
    return false
  }

  /// Returns whether all scores are 0…100 and a class exceeds 1, unless the steps already show the unit.
  private func isPercent(_ slack: Float) -> Bool {
    var most: Float = 0
    for row in 0..<rows {
      let start = row * columns
      let objectness = values[start + 4]
      guard objectness >= -slack, objectness <= 100 + 2 + slack else { return false }
      for column in classes {
        let value = values[start + column]
        guard value >= -slack, value <= 100 + 2 + slack else { return false }
        most = max(most, value)
      }
    }
    return decoder.isCoarse || most > 1 + slack
  }

  private func isNear(_ cells: CellSample) -> Bool {
    cells.distance { row in
      (values[row * columns], values[row * columns + 1])
    } <= Self.nearCell
  }
}
