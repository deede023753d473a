// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Finds corners that are spread over the image: places that change both ways, so that their displacement is certain.
///
/// **Source:** Shi, Tomasi, "Good Features to Track", CVPR 1994: the smaller eigenvalue of the gradient's products.
struct CornerSearch: Sendable {
  /// The most corners.
  static let limit = 200
  /// Less texture than this, in (grey levels a pixel)², is no corner.
  private static let leastTexture = 1.0
  /// The places each way that compete in a cell of the image.
  private static let candidates = 3

  /// The corners of the last search: from the top, from the left, in pixels of the first level.
  private(set) var corners: [SIMD2<Int>] = []

  /// Takes the best corner of each of at most 200 cells of the first image.
  /// - Parameters:
  ///   - pair: The images.
  ///   - boxes: Where no corner may be, in pixels of the image.
  ///   - scale: The pixels of the image for one of the first level.
  mutating func search(_ pair: PyramidPair, outside boxes: [BoundingBox], scale: Int) {
    corners.removeAll(keepingCapacity: true)
    // A level higher, where a window sees more of the image than one that is followed on the first.
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
  /// Whether a position lies in the box; never in one with edges that are no numbers.
  fileprivate func covers(_ x: Double, _ y: Double) -> Bool { x >= minX && x < maxX && y >= minY && y < maxY }
}
