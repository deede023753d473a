// SPDX-License-Identifier: Apache-2.0

/// Output tensors like those of models: low scores everywhere, and `above` rows whose best class is above 0.5.
enum DecodingTensors {
  /// Boxes as fractions (top, left, bottom, right).
  static func corners(_ count: Int) -> [Float] {
    (0..<count).flatMap { index -> [Float] in
      let (x, y) = (Float(index % 40) / 40, Float(index / 40) / 40)
      return [y, x, y + 0.02, x + 0.02]
    }
  }

  /// Scores before the sigmoid; `first` is the first column of an object's class.
  static func logits(_ rows: Int, _ columns: Int, first: Int = 0, above: Int) -> [Float] {
    table(rows, columns, first: first, above: above) { $0 ? 1 : -6 }
  }

  /// Rows relative to their cells: the middle of the cell, as large as it.
  static func cells(_ rows: Int, _ columns: Int, hasObjectness: Bool, above: Int) -> [Float] {
    filled(rows, columns, hasObjectness, above) { _ in [0.5, 0.5, 0, 0] }
  }

  /// Rows of boxes in pixels, on a grid.
  static func pixels(_ rows: Int, _ columns: Int, hasObjectness: Bool, above: Int) -> [Float] {
    filled(rows, columns, hasObjectness, above) {
      [Float($0 % 80) * 8 + 4, Float($0 / 80 % 80) * 8 + 4, 8, 8]
    }
  }

  /// Rows of an end to end model.
  static func answers(_ rows: Int, above: Int) -> [Float] {
    let boxes = pixels(rows, 4, hasObjectness: false, above: 0)
    return (0..<rows).flatMap { row -> [Float] in
      let (x, y) = (boxes[row * 4], boxes[row * 4 + 1])
      return [x, y, x + 8, y + 8, row < above ? 0.9 - 0.3 * Float(row) / Float(rows) : 0.01, Float(row % 80)]
    }
  }

  private static func filled(
    _ rows: Int, _ columns: Int, _ hasObjectness: Bool, _ above: Int, _ box: (Int) -> [Float]
  ) -> [Float] {
    var values = table(rows, columns, first: hasObjectness ? 5 : 4, above: above) { $0 ? 0.8 : 0.01 }
    for row in 0..<rows {
      values.replaceSubrange(row * columns..<row * columns + 4, with: box(row))
      if hasObjectness { values[row * columns + 4] = isHit(row, of: rows, above: above) ? 0.95 : 0.01 }
    }
    return values
  }

  /// Whether a row is one of `above`, which are scattered like objects: a decoder refuses unrealistic patterns.
  private static func isHit(_ row: Int, of rows: Int, above: Int) -> Bool { row * 7_919 % rows < above }

  /// Scattered small differences, so that no branch of a decoder is always taken.
  private static func table(
    _ rows: Int, _ columns: Int, first: Int, above: Int, _ score: (Bool) -> Float
  ) -> [Float] {
    (0..<rows * columns).map { index in
      let (row, column) = (index / columns, index % columns)
      let isBest =
        isHit(row, of: rows, above: above) && column == first + row % max(columns - first, 1)
      return score(isBest) * (1 + Float(index &* 7_919 % 1_009) / 10_090)
    }
  }
}
