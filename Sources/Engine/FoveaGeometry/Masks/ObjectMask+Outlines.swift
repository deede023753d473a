// SPDX-License-Identifier: Apache-2.0

extension ObjectMask {
  /// The outlines at a probability of 0.5: closed polygons, in pixels, without a repeated last point.
  ///
  /// An outer outline has the object on its right, so that it runs clockwise as seen on the screen; a hole
  /// runs counter-clockwise. Outlines end at ``bounds``. Empty if the mask covers nothing.
  ///
  /// **Source:** Lorensen and Cline, "Marching cubes", SIGGRAPH 1987, in two dimensions; opposite corners of
  /// a square are not joined.
  /// - Complexity: O(cells).
  public var outlines: [[PixelPoint]] {
    guard !isEmpty else { return [] }
    return OutlineGrid(self).outlines
  }
}

/// The values of a mask at the middles of its cells within the bounds and at the edges of the bounds, with a
/// rim of 0 in the same place as those edges.
private struct OutlineGrid {
  private let xs: [Double]
  private let ys: [Double]
  private let values: [Float]
  private static let level: Float = 127.5

  init(_ mask: ObjectMask) {
    let x = OutlineGrid.Axis(
      mask.bounds.minX, mask.bounds.maxX, mask.region.minX, mask.region.width, mask.columns)
    let y = OutlineGrid.Axis(
      mask.bounds.minY, mask.bounds.maxY, mask.region.minY, mask.region.height, mask.rows)
    (xs, ys) = (x.nodes, y.nodes)
    let width = x.nodes.count
    var values = [Float](repeating: 0, count: width * y.nodes.count)
    unsafe values.withUnsafeMutableBufferPointer { values in
      unsafe mask.cells.withUnsafeBufferPointer { cells in
        for (row, cell) in y.cells.enumerated() {
          let (to, from) = ((row + 2) * width + 2, cell * mask.columns + x.cells.lowerBound)
          for column in 0..<x.cells.count { unsafe values[to + column] = Float(cells[from + column]) }
        }
      }
      let (right, bottom) = (width - 2, y.nodes.count - 2)
      for row in 1...bottom {
        unsafe values[row * width + 1] = mask.value(x.first, y.place(row))
        unsafe values[row * width + right] = mask.value(x.last, y.place(row))
      }
      for column in 1...right {
        unsafe values[width + column] = mask.value(x.place(column), y.first)
        unsafe values[bottom * width + column] = mask.value(x.place(column), y.last)
      }
    }
    self.values = values
  }

  /// The nodes of one axis: twice the lower edge of the bounds, the middles of the cells between the edges,
  /// and twice the upper edge.
  private struct Axis {
    let nodes: [Double]
    /// The cells whose middles lie between the edges.
    let cells: Range<Int>
    /// The places of the two edges.
    let first: MaskScale.Place
    let last: MaskScale.Place

    init(_ minimum: Double, _ maximum: Double, _ start: Double, _ length: Double, _ count: Int) {
      func middle(_ cell: Int) -> Double { start + (Double(cell) + 0.5) * length / Double(count) }
      let lower = (0..<count).first { middle($0) > minimum } ?? count
      let upper = (lower..<count).first { middle($0) >= maximum } ?? count
      cells = lower..<upper
      nodes = [minimum, minimum] + cells.map(middle) + [maximum, maximum]
      let scale = MaskScale(start, length, count)
      (first, last) = (scale.place(of: minimum), scale.place(of: maximum))
    }

    /// Returns the place of a node that is not of the rim.
    func place(_ node: Int) -> MaskScale.Place {
      if node == 1 { return first }
      return node == nodes.count - 2 ? last : MaskScale.Place(cell: cells.lowerBound + node - 2, share: 0)
    }
  }

  var outlines: [[PixelPoint]] {
    // The edge from a node to the one on its right has the number 2 × node, the one below 2 × node + 1.
    var next = [Int32](repeating: -1, count: 2 * values.count)
    var starts: [Int32] = []
    link(&next, &starts)
    var outlines: [[PixelPoint]] = []
    for start in starts where next[Int(start)] >= 0 {
      var points: [PixelPoint] = []
      var edge = Int(start)
      while next[edge] >= 0 {
        append(point(on: edge), to: &points)
        let following = Int(next[edge])
        next[edge] = -1
        edge = following
      }
      close(&points)
      if points.count > 2 { outlines.append(points) }
    }
    return outlines
  }

  /// Links the edges through which outlines enter and leave each square of four nodes.
  private func link(_ next: inout [Int32], _ starts: inout [Int32]) {
    let width = xs.count
    let isInside = unsafe [UInt8](unsafeUninitializedCapacity: values.count) { flags, count in
      unsafe values.withUnsafeBufferPointer { values in
        for node in 0..<values.count { unsafe flags[node] = values[node] > OutlineGrid.level ? 1 : 0 }
      }
      count = values.count
    }
    // The numbers of a square's top, left, lower and right edge, after twice that of its top left node.
    let edges = SIMD4<Int32>(0, 1, Int32(2 * width), 3)
    unsafe isInside.withUnsafeBytes { isInside in
      unsafe next.withUnsafeMutableBufferPointer { next in
        for row in 0..<(ys.count - 1) {
          let upper = row * width
          var column = 0
          while column < width - 1 {
            let node = upper + column
            if column + 8 <= width {
              // Most squares lie inside or outside the object: seven at once.
              let above = unsafe isInside.loadUnaligned(fromByteOffset: node, as: UInt64.self)
              let below = unsafe isInside.loadUnaligned(fromByteOffset: node + width, as: UInt64.self)
              if above == below, above == 0 || above == 0x0101_0101_0101_0101 {
                column += 7
                continue
              }
            }
            column += 1
            let corners =
              unsafe isInside[node] | isInside[node + width] << 1 | isInside[node + 1] << 2
              | isInside[node + 1 + width] << 3
            if corners == 0 || corners == 15 { continue }
            let way = OutlineGrid.ways[Int(corners)]
            let from = Int32(2 * node) + edges[Int(way.from)]
            unsafe next[Int(from)] = Int32(2 * node) + edges[Int(way.to)]
            starts.append(from)
            // Opposite corners have two outlines, the second around the lower right or the top right one.
            guard corners == 6 || corners == 9 else { continue }
            let second = Int32(2 * node) + edges[corners == 6 ? 3 : 2]
            unsafe next[Int(second)] = Int32(2 * node) + edges[corners == 6 ? 0 : 3]
            starts.append(second)
          }
        }
      }
    }
  }

  /// The edges through which an outline enters and leaves a square: 0 top, 1 left, 2 bottom, 3 right.
  ///
  /// The place is the sum of the corners inside the object: 1 top left, 2 bottom left, 4 top right, 8 bottom
  /// right.
  private static let ways: [(from: Int8, to: Int8)] = [
    (0, 0), (0, 1), (1, 2), (0, 2), (3, 0), (3, 1), (1, 2), (3, 2),
    (2, 3), (0, 1), (1, 3), (0, 3), (2, 0), (2, 1), (1, 0), (0, 0),
  ]

  /// Returns the place on an edge at which the value is that of the outline.
  private func point(on edge: Int) -> PixelPoint {
    let node = edge >> 1
    let row = node / xs.count
    let column = node - row * xs.count
    let first = values[node]
    let second = values[edge & 1 == 0 ? node + 1 : node + xs.count]
    let share = Double((OutlineGrid.level - first) / (second - first))
    return edge & 1 == 0
      ? PixelPoint(x: xs[column] + share * (xs[column + 1] - xs[column]), y: ys[row])
      : PixelPoint(x: xs[column], y: ys[row] + share * (ys[row + 1] - ys[row]))
  }

  /// Appends a point, and drops the one before it if it is the same or on the line between its neighbours.
  private func append(_ point: PixelPoint, to points: inout [PixelPoint]) {
    while let last = points.last {
      if last == point { return }
      guard points.count > 1, OutlineGrid.isStraight(points[points.count - 2], last, point) else { break }
      points.removeLast()
    }
    points.append(point)
  }

  /// Drops points at the joint of the last and the first that are the same or on one line.
  private func close(_ points: inout [PixelPoint]) {
    while points.count > 2 {
      let (last, first) = (points[points.count - 1], points[0])
      if last == first || OutlineGrid.isStraight(points[points.count - 2], last, first) {
        points.removeLast()
      } else if OutlineGrid.isStraight(last, first, points[1]) {
        points.removeFirst()
      } else {
        return
      }
    }
  }

  /// Whether three points are on one row or column, as along the edges of the bounds.
  private static func isStraight(_ first: PixelPoint, _ second: PixelPoint, _ third: PixelPoint) -> Bool {
    first.x == second.x && second.x == third.x || first.y == second.y && second.y == third.y
  }
}
