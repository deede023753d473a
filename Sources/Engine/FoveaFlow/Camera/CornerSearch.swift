// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Finds corners spread over the image: points that change in both directions, so that their displacement is
/// certain.
///
/// **Source:** Shi, Tomasi, "Good Features to Track", CVPR 1994: the smaller eigenvalue of the gradient's
/// products.
struct CornerSearch: Sendable {
  /// The maximum number of corners.
  static let limit = 200
  /// The texture below which a point is not a corner, in (grey levels per pixel)².
  private static let leastTexture = 1.0
  /// The points in each direction that compete in a cell of the image.
  private static let candidates = 3

  /// The corners of the last search: from top to bottom and left to right, in pixels of the first level.
  private(set) var corners: [SIMD2<Int>] = []

  /// Finds the best corner in each of at most 200 cells of the first image.
  /// - Parameters:
  ///   - pair: The images.
  ///   - boxes: The areas without corners, in pixels of the image.
  ///   - scale: The pixels of the image per pixel of the first level.
  mutating func search(_ pair: PyramidPair, outside boxes: [BoundingBox], scale: Int) {
    corners.removeAll(keepingCapacity: true)
    // One level higher, on which a window covers more of the image than a followed one on the first level.
    let index = unsafe min(1, pair.levels.count - 1)
    let view = unsafe GreyView(pair.levels[index], pair.first)
    let (width, height) = unsafe (Double(pair.levels[0].width), Double(pair.levels[0].height))
    let columns = min(max(Int((Double(Self.limit) * width / height).squareRoot()), 1), Self.limit)
    let rows = Self.limit / columns
    var window = unsafe Window(gradient: pair.gradient)
    for row in 0..<rows {
      for column in 0..<columns {
        var best: (texture: Double, place: SIMD2<Int>) = (Self.leastTexture, SIMD2(-1, -1))
        for candidate in 0..<Self.candidates * Self.candidates {
          let (right, below) = (candidate % Self.candidates, candidate / Self.candidates)
          let x = (Double(column) + (Double(right) + 0.5) / Double(Self.candidates)) / Double(columns) * width
          let y = (Double(row) + (Double(below) + 0.5) / Double(Self.candidates)) / Double(rows) * height
          guard !boxes.contains(where: { $0.covers(x * Double(scale), y * Double(scale)) }) else { continue }
          let place = SIMD2(Int(x), Int(y))
          unsafe window.take(view, place.x >> index, place.y >> index)
          if window.texture > best.texture { best = (window.texture, place) }
        }
        if best.place.x >= 0 { corners.append(best.place) }
      }
    }
  }
}

extension BoundingBox {
  /// Returns whether a position is in the box; false for a box with edges that are not numbers.
  fileprivate func covers(_ x: Double, _ y: Double) -> Bool { x >= minX && x < maxX && y >= minY && y < maxY }
}
