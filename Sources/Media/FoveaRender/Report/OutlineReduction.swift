// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Leaves out points of outlines that are not visible at the size of a drawing.
enum OutlineReduction {
  /// The maximum number of successive points left out, which bounds the time.
  private static let longestRun = 100

  /// Returns a closed polygon with fewer points, each of them one of `points`.
  ///
  /// - Parameters:
  ///   - points: A closed polygon, without a repeated last point.
  ///   - tolerance: The largest distance of a point that is left out from the new edge near it.
  /// - Returns: The polygon; empty if all points are within `tolerance` of one edge.
  /// - Complexity: O(points).
  static func reduced(_ points: [PixelPoint], tolerance: Double) -> [PixelPoint] {
    guard let first = points.first else { return [] }
    var kept = [first]
    var start = 0
    for end in points.indices.dropFirst(2) + [points.count] {
      let next = end < points.count ? points[end] : first
      let isNear =
        end - start <= longestRun
        && points[(start + 1)..<end].allSatisfy {
          squaredDistance($0, points[start], next) <= tolerance * tolerance
        }
      if isNear { continue }
      start = end - 1
      kept.append(points[start])
    }
    return kept.count > 2 ? kept : []
  }

  /// Returns the square of the distance of a point from the line between two others.
  private static func squaredDistance(
    _ point: PixelPoint, _ start: PixelPoint, _ end: PixelPoint
  ) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = x * x + y * y
    let along = (point.x - start.x) * x + (point.y - start.y) * y
    let share = length > 0 ? min(max(along / length, 0), 1) : 0
    let (dx, dy) = (point.x - start.x - share * x, point.y - start.y - share * y)
    return dx * dx + dy * dy
  }
}
