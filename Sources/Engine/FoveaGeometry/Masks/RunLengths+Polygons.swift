// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension RunLengths {
  /// Creates the run lengths of polygons, joined into one object.
  ///
  /// Edges are drawn at five times the resolution, as in pycocotools, so that pixels are the same as there.
  /// - Parameters:
  ///   - polygons: The corners of each polygon, in pixels, without a repeated last one; at least three. Parts
  ///     outside the image are left out.
  ///   - size: The size of the image.
  /// - Throws: `GeometryError` `runLengthsInvalid` if a polygon has fewer than three points, a point farther
  ///   outside than ten times the image's longer side, or edges of more than 10⁷ pixels together, or the
  ///   image has a negative side or 2³² or more pixels.
  ///
  /// **Source:** `rleFrPoly` and `rleMerge` of `maskApi.c`, pycocotools 2.0.11.
  public init(polygons: [[PixelPoint]], size: PixelSize) throws(GeometryError) {
    try RunLengths.check(size)
    var all: [(start: Int, end: Int)] = []
    var length = 0.0
    for (index, polygon) in polygons.enumerated() {
      if let problem = RunLengths.problem(polygon, size, after: &length) {
        throw GeometryError(
          .runLengthsInvalid, "Polygon \(index + 1) \(problem)",
          remedy: "Use polygons of at least three points near the image")
      }
      all += RunLengths.runs(of: polygon, size)
    }
    if polygons.count > 1 { all.sort { $0.start < $1.start } }
    var builder = Builder(size)
    var end = 0
    for run in all where run.end > end {
      builder.add(max(run.start, end), run.end)
      end = run.end
    }
    self = builder.finish()
  }

  /// Checks a polygon.
  /// - Parameters:
  ///   - polygon: The corners.
  ///   - size: The size of the image.
  ///   - length: The length of the edges so far, in pixels; those of the polygon are added.
  /// - Returns: The problem, as the rest of a sentence; nil if there is none.
  private static func problem(
    _ polygon: [PixelPoint], _ size: PixelSize, after length: inout Double
  ) -> String? {
    guard polygon.count > 2 else { return "has \(polygon.count) points; at least three are needed" }
    let farthest = Double(max(size.width, size.height)) * 10 + 1_000
    var last = polygon[polygon.count - 1]
    for point in polygon {
      // Comparing also rejects what is not a number.
      guard abs(point.x) <= farthest, abs(point.y) <= farthest else {
        let (x, y) = (DecimalText.exact(point.x), DecimalText.exact(point.y))
        return "has the point (\(x), \(y)), which is not near an image of \(size)"
      }
      length += max(abs(point.x - last.x), abs(point.y - last.y))
      last = point
    }
    return length <= 1e7 ? nil : "has edges of more than 10,000,000 pixels, those before it included"
  }

  /// Returns the runs inside a polygon, in ascending order.
  private static func runs(of polygon: [PixelPoint], _ size: PixelSize) -> [(start: Int, end: Int)] {
    let pixels = size.area
    var places: [Int] = []
    forEachStep(polygon) { last, next in
      guard next.x != last.x else { return }
      // A fine column is the middle of a column of pixels if it is 5 n + 2.
      let fine = next.x < last.x ? next.x : next.x - 1
      guard fine >= 0, fine % 5 == 2, fine / 5 < size.width else { return }
      let y = (Double(min(next.y, last.y)) + 0.5) / 5 - 0.5
      places.append(fine / 5 * size.height + Int(min(max(y, 0), Double(size.height)).rounded(.up)))
    }
    places.append(pixels)
    places.sort()
    // Between the first and the second place is inside, and so on; equal places cancel each other.
    var runs: [(start: Int, end: Int)] = []
    for index in stride(from: 0, to: places.count - 1, by: 2) where places[index] < places[index + 1] {
      runs.append((start: places[index], end: places[index + 1]))
    }
    return runs
  }

  /// Calls `body` with each point of the boundary, at five times the resolution, and the one before it.
  private static func forEachStep(
    _ polygon: [PixelPoint], _ body: (_ last: (x: Int, y: Int), _ next: (x: Int, y: Int)) -> Void
  ) {
    func fine(_ point: PixelPoint) -> (x: Int, y: Int) { (Int(point.x * 5 + 0.5), Int(point.y * 5 + 0.5)) }
    var last: (x: Int, y: Int)?
    var from = fine(polygon[0])
    for index in 1...polygon.count {
      let to = fine(polygon[index % polygon.count])
      let (width, height) = (abs(to.x - from.x), abs(to.y - from.y))
      let isWide = width >= height
      // Each edge is computed from its smaller end, whichever way it runs.
      let isFlipped = isWide ? from.x > to.x : from.y > to.y
      let (start, end) = isFlipped ? (to, from) : (from, to)
      let count = isWide ? width : height
      let slope = count == 0 ? 0 : Double(isWide ? end.y - start.y : end.x - start.x) / Double(count)
      for step in 0...count {
        let along = isFlipped ? count - step : step
        let across = Int(Double(isWide ? start.y : start.x) + slope * Double(along) + 0.5)
        let next = isWide ? (x: start.x + along, y: across) : (x: across, y: start.y + along)
        if let last { body(last, next) }
        last = next
      }
      from = to
    }
  }
}
