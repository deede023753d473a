// SPDX-License-Identifier: Apache-2.0

/// Anchors from an output of the model, in any order and unit.
struct PriorAnchors {
  /// The anchors in fractions of the input.
  let anchors: [AnchorLayout.Anchor]
  /// Whether the numbers are edges rather than centre and size.
  let areEdges: Bool
  /// Whether y comes before x, as in the TensorFlow Object Detection API.
  let isYFirst: Bool

  /// Reads `count` anchors of four numbers, `step` numbers apart.
  ///
  /// - They are edges if the third number is above the first and the fourth above the second in every row;
  ///   with centres, anchors at the right and lower edge are smaller than their coordinates.
  /// - They follow the cells row by row, so the first coordinate that changes is x. If that shows nothing,
  ///   `isYFirst` decides.
  /// - They are pixels if a number is above 2.
  ///
  /// If `isYFirst` is nil, x comes first whatever the anchors show. Returns nil if the numbers are not
  /// anchors: one is not finite, or a size is not above 0.
  init?(
    _ values: [Float], from start: Int, step: Int, count: Int, width: Int, height: Int, isYFirst usual: Bool?
  ) {
    guard count > 0, start >= 0, step >= 4, start + (count - 1) * step + 4 <= values.count else { return nil }
    func number(_ row: Int, _ column: Int) -> Float { values[start + row * step + column] }
    var areEdges = true
    var most: Float = 0
    for row in 0..<count {
      for column in 0..<4 {
        guard number(row, column).isFinite else { return nil }
        most = max(most, abs(number(row, column)))
      }
      areEdges = areEdges && number(row, 2) > number(row, 0) && number(row, 3) > number(row, 1)
    }
    self.areEdges = areEdges
    func center(_ row: Int, _ column: Int) -> Float {
      areEdges ? (number(row, column) + number(row, column + 2)) / 2 : number(row, column)
    }
    var isYFirst = usual ?? false
    if usual != nil,
      let moved = (1..<count).first(where: {
        abs(center($0, 0) - center(0, 0)) > 1e-4 * most || abs(center($0, 1) - center(0, 1)) > 1e-4 * most
      })
    {
      let first = abs(center(moved, 0) - center(0, 0)) > 1e-4 * most
      let second = abs(center(moved, 1) - center(0, 1)) > 1e-4 * most
      if first != second { isYFirst = second }
    }
    self.isYFirst = isYFirst
    let inPixels = most > BoxUnit.largestFraction
    let unitX = inPixels ? 1 / Float(width) : 1
    let unitY = inPixels ? 1 / Float(height) : 1
    let x = isYFirst ? 1 : 0
    var anchors: [AnchorLayout.Anchor] = []
    anchors.reserveCapacity(count)
    for row in 0..<count {
      let sizeX = areEdges ? number(row, 2 + x) - number(row, x) : number(row, 2 + x)
      let sizeY = areEdges ? number(row, 3 - x) - number(row, 1 - x) : number(row, 3 - x)
      guard sizeX > 0, sizeY > 0 else { return nil }
      anchors.append(
        .init(
          centerX: center(row, x) * unitX, centerY: center(row, 1 - x) * unitY, width: sizeX * unitX,
          height: sizeY * unitY))
    }
    self.anchors = anchors
  }
}
