// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The shape of a trail: a ribbon that becomes thinner and paler towards the oldest point.
struct TrailRibbon {
  /// A piece of the ribbon with one opacity, the oldest first.
  struct Band {
    /// The outline to fill.
    var outline: [PixelPoint]
    /// The opacity, 0…1.
    var alpha: Double
  }

  /// The maximum number of points drawn, which are the newest ones.
  static let largestCount = 1024
  /// The smoothed centre line; at least two points.
  private let points: [PixelPoint]
  /// The unit vector across the line at each point.
  private let normals: [PixelPoint]
  /// The position of each point along the trail, from 0 (oldest) to 1 (newest).
  private let shares: [Double]

  /// Creates a ribbon; `nil` for fewer than two points or points that do not move.
  ///
  /// - Parameters:
  ///   - trail: The points, the oldest first.
  ///   - spacing: The minimum distance between two points, in pixels, which hides the jitter of boxes.
  init?(_ trail: [PixelPoint], spacing: Double) {
    let thinned = Self.thinned(trail, spacing: spacing)
    guard thinned.count >= 2 else { return nil }
    points = Self.smoothed(Self.smoothed(thinned))
    var lengths = [0.0]
    var normals: [PixelPoint] = []
    for index in points.indices {
      let (before, after) = (points[max(index - 1, 0)], points[min(index + 1, points.count - 1)])
      let (x, y) = (after.x - before.x, after.y - before.y)
      let length = (x * x + y * y).squareRoot()
      normals.append(length > 0 ? PixelPoint(x: -y / length, y: x / length) : PixelPoint(x: 0, y: 0))
      guard index > 0 else { continue }
      let (dx, dy) = (points[index].x - before.x, points[index].y - before.y)
      lengths.append(lengths[index - 1] + (dx * dx + dy * dy).squareRoot())
    }
    self.normals = normals
    let total = lengths[lengths.count - 1]
    guard total > 0 else { return nil }
    shares = lengths.map { $0 / total }
  }

  /// Returns the pieces of a ribbon of `width` at the newest point, which is wider by `halo` on each side.
  ///
  /// - Parameters:
  ///   - width: The width at the newest point, in pixels; the width at the oldest point is 0.3 times as
  ///     large.
  ///   - halo: The additional width on each side, in pixels.
  ///   - steps: The maximum number of opacity steps; each takes time to paint.
  /// - Returns: The pieces, the oldest first.
  func bands(width: Double, halo: Double, steps: Int) -> [Band] {
    let segments = points.count - 1
    let count = min(steps, segments)
    return (0..<count).map { band in
      let range = (band * segments / count)...((band + 1) * segments / count)
      func side(_ sign: Double) -> [PixelPoint] {
        range.map { index in
          let half = (width * (0.3 + 0.7 * shares[index]) / 2 + halo) * sign
          return PixelPoint(
            x: points[index].x + normals[index].x * half, y: points[index].y + normals[index].y * half)
        }
      }
      let middle = (shares[range.lowerBound] + shares[range.upperBound]) / 2
      return Band(outline: side(1) + side(-1).reversed(), alpha: 0.1 + 0.9 * middle)
    }
  }

  /// Returns points that are at least `spacing` apart, including the newest.
  private static func thinned(_ trail: [PixelPoint], spacing: Double) -> [PixelPoint] {
    let limit = Double(CairoPainter.maxDimension)
    var kept: [PixelPoint] = []
    for point in trail.suffix(largestCount).reversed() where abs(point.x) <= limit && abs(point.y) <= limit {
      if let last = kept.last {
        let (x, y) = (point.x - last.x, point.y - last.y)
        guard x * x + y * y >= spacing * spacing else { continue }
      }
      kept.append(point)
    }
    return kept.reversed()
  }

  /// Moves each inner point halfway to the middle of its neighbours.
  private static func smoothed(_ points: [PixelPoint]) -> [PixelPoint] {
    points.indices.map { index in
      guard index > 0, index < points.count - 1 else { return points[index] }
      let (before, here, after) = (points[index - 1], points[index], points[index + 1])
      return PixelPoint(x: (before.x + 2 * here.x + after.x) / 4, y: (before.y + 2 * here.y + after.y) / 4)
    }
  }
}
