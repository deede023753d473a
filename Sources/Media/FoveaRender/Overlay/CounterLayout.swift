// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The layout of a counting line or zone, its arrow and its chip.
struct CounterLayout {
  let counter: OverlayCounter
  /// The shaft and the head of the arrow, for a line.
  let arrow: (shaft: [PixelPoint], head: [PixelPoint])?
  /// The chip, if there is one.
  var chip: OverlayLayout.Chip?
  /// The point to which the chip is attached, and the unit vector from there to the chip's centre.
  private let chipPlace: (point: PixelPoint, way: PixelPoint)

  /// Lays out a line or zone; `nil` if it cannot be drawn.
  init?(_ counter: OverlayCounter, metrics: OverlayMetrics) {
    guard counter.isDrawable else { return nil }
    self.counter = counter
    switch counter.shape {
    case .line(let start, let end):
      let middle = PixelPoint(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
      let (x, y) = (end.x - start.x, end.y - start.y)
      let length = (x * x + y * y).squareRoot()
      // The right side in the direction of the line, with y pointing down.
      let right = PixelPoint(x: -y / length, y: x / length)
      let size = metrics.arrowLength
      func point(_ forward: Double, _ aside: Double) -> PixelPoint {
        PixelPoint(
          x: middle.x + right.x * forward - right.y * aside, y: middle.y + right.y * forward + right.x * aside
        )
      }
      arrow = (
        [point(0, 0), point(size * 0.7, 0)],
        [point(size, 0), point(size * 0.45, size * 0.36), point(size * 0.45, -size * 0.36)]
      )
      chipPlace = (middle, PixelPoint(x: -right.x, y: -right.y))
    case .zone(let corners):
      arrow = nil
      var top = corners[0]
      for (index, corner) in corners.enumerated() {
        let next = corners[(index + 1) % corners.count]
        let middle = PixelPoint(x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2)
        if index == 0 || middle.y < top.y { top = middle }
      }
      chipPlace = (top, PixelPoint(x: 0, y: -1))
    }
  }

  /// Returns the frame of a chip next to the line or zone, inside the image, on whole pixels.
  func chipFrame(width: Double, metrics: OverlayMetrics, in size: PixelSize) -> BoundingBox {
    let (point, way) = chipPlace
    let reach = abs(way.x) * width / 2 + abs(way.y) * metrics.chipHeight / 2 + metrics.lineWidth * 1.5
    let x = (point.x + way.x * reach - width / 2).rounded()
    let y = (point.y + way.y * reach - metrics.chipHeight / 2).rounded()
    return BoundingBox(
      x: min(max(x, 0), Double(size.width) - width),
      y: min(max(y, 0), Double(size.height) - metrics.chipHeight), width: width, height: metrics.chipHeight)
  }
}
