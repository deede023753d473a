// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry

/// A rectangle of whole pixels in a context, from the top left corner.
struct PixelRect {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}

/// A rectangle in a context, from the top left corner, with its edges on whole pixels.
struct DrawnRect {
  var minX: Double
  var minY: Double
  var width: Double
  var height: Double

  /// Rounds a rectangle; nil if it is empty after rounding, or not finite.
  init?(_ rect: CGRect, height contextHeight: Int) {
    let rect = rect.standardized
    let (left, right) = (Double(rect.minX).rounded(), Double(rect.maxX).rounded())
    let (bottom, top) = (Double(rect.minY).rounded(), Double(rect.maxY).rounded())
    guard right > left, top > bottom, (right - left).isFinite, (top - bottom).isFinite else { return nil }
    minX = left
    minY = Double(contextHeight) - top
    width = right - left
    height = top - bottom
  }

  /// Returns the visible part, in tiles of at most 2,048 × 2,048 pixels.
  func tiles(within size: PixelSize) -> [PixelRect] {
    let side = 2048
    let columns = Self.visible(minX, width, size.width)
    let rows = Self.visible(minY, height, size.height)
    return stride(from: rows.lowerBound, to: rows.upperBound, by: side).flatMap { y in
      stride(from: columns.lowerBound, to: columns.upperBound, by: side).map { x in
        PixelRect(
          x: x, y: y, width: min(side, columns.upperBound - x), height: min(side, rows.upperBound - y))
      }
    }
  }

  private static func visible(_ start: Double, _ length: Double, _ limit: Int) -> Range<Int> {
    let first = min(max(start, 0), Double(limit))
    let end = min(max(start + length, first), Double(limit))
    return Int(first)..<Int(end)
  }
}
