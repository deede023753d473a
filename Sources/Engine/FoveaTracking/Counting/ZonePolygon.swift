// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The outline of a zone: a simple polygon, with its corners in either order, concave or not.
struct ZonePolygon: Sendable {
  /// The largest number of corners: each frame compares all of them with each object.
  static let largestCount = 1000

  let corners: [PixelPoint]

  /// Validates the corners; the last is connected to the first.
  init(_ corners: [PixelPoint]) throws(CountingError) {
    self.corners = corners
    guard (3...Self.largestCount).contains(corners.count) else {
      throw Self.invalid(
        "The zone has \(corners.count) corners; 3 to \(Self.largestCount) expected",
        "Give the corners in order around the zone")
    }
    let limit = CountingOptions.largestCoordinate
    if let index = corners.firstIndex(where: { !(abs($0.x) <= limit && abs($0.y) <= limit) }) {
      throw Self.invalid(
        "Corner \(index + 1) of the zone is \(corners[index]); numbers within ±\(limit) expected",
        "Give the corners in pixels of the frame")
    }
    try checkEdges()
    guard abs(doubledArea) > 1e-6 else {
      throw Self.invalid(
        "The zone's \(corners.count) corners lie on one line, from \(corners[0])",
        "Give at least three corners that span an area")
    }
  }

  private static func invalid(_ message: String, _ remedy: Advice) -> CountingError {
    CountingError(.invalidZone, message, remedy: remedy)
  }

  private var edges: [Edge] {
    corners.indices.map { Edge(start: corners[$0], end: corners[($0 + 1) % corners.count]) }
  }

  private var doubledArea: Double {
    let first = corners[0]
    return edges.reduce(0) { $0 + ($1.start - first).cross($1.end - first) }
  }

  /// Throws for edges of length 0, edges that reverse on the previous one, and edges that touch another.
  private func checkEdges() throws(CountingError) {
    let edges = self.edges
    if let index = edges.firstIndex(where: { $0.start == $0.end }) {
      throw Self.invalid(
        "Corner \(index + 1) of the zone, \(corners[index]), is the same as the next", "Leave one of them out"
      )
    }
    for (index, edge) in edges.enumerated() {
      let next = edges[(index + 1) % edges.count]
      let (way, turn) = (edge.end - edge.start, next.end - next.start)
      if corners.count > 3, way.cross(turn) == 0, way.dot(turn) < 0 {
        throw Self.invalid(
          "The zone turns back on itself at corner \((index + 1) % edges.count + 1), \(edge.end)",
          "Leave this corner out")
      }
      for other in edges[min(index + 2, edges.count)...].dropLast(index == 0 ? 1 : 0)
      where edge.touches(other) {
        throw Self.invalid(
          "The zone crosses itself: the edge from \(edge.start) to \(edge.end) meets the edge from"
            + " \(other.start) to \(other.end)",
          "Give the corners in order around the zone, or split it into two zones")
      }
    }
  }

  /// Returns the distance of a point from the zone in pixels; 0 inside and on the edge.
  func distance(to point: PixelPoint) -> Double {
    if contains(point) { return 0 }
    return edges.reduce(Double.infinity) { min($0, $1.distance(to: point)) }
  }

  /// Returns whether a point is inside the zone, by counting the edges that a ray to its right crosses.
  ///
  /// **Source:** Shimrat, "Algorithm 112: Position of point relative to polygon", Communications of the ACM,
  /// 1962.
  func contains(_ point: PixelPoint) -> Bool {
    var isInside = false
    var previous = corners[corners.count - 1]
    for corner in corners {
      if (corner.y > point.y) != (previous.y > point.y) {
        let x = corner.x + (previous.x - corner.x) * (point.y - corner.y) / (previous.y - corner.y)
        if point.x < x { isInside.toggle() }
      }
      previous = corner
    }
    return isInside
  }
}

extension ZonePolygon {
  /// The line segment between two corners.
  private struct Edge {
    var start: PixelPoint
    var end: PixelPoint

    /// Returns whether the two edges have a common point.
    func touches(_ other: Edge) -> Bool {
      let (a, b) = (side(other.start), side(other.end))
      let (c, d) = (other.side(start), other.side(end))
      if a * b < 0, c * d < 0 { return true }
      return a == 0 && covers(other.start) || b == 0 && covers(other.end) || c == 0 && other.covers(start)
        || d == 0 && other.covers(end)
    }

    private func side(_ point: PixelPoint) -> Double {
      let value = (end - start).cross(point - start)
      return value > 0 ? 1 : value < 0 ? -1 : 0
    }

    /// Returns whether a point on the line of the edge lies between its ends.
    private func covers(_ point: PixelPoint) -> Bool {
      (min(start.x, end.x)...max(start.x, end.x)).contains(point.x)
        && (min(start.y, end.y)...max(start.y, end.y)).contains(point.y)
    }

    func distance(to point: PixelPoint) -> Double {
      let way = end - start
      let share = min(max((point - start).dot(way) / way.dot(way), 0), 1)
      return PixelVector(x: start.x + share * way.x - point.x, y: start.y + share * way.y - point.y).length
    }
  }
}

/// The vector from one point to another, in pixels.
struct PixelVector {
  var x: Double
  var y: Double

  /// The length of the vector.
  var length: Double { (x * x + y * y).squareRoot() }

  func dot(_ other: PixelVector) -> Double { x * other.x + y * other.y }

  /// Returns twice the area of the triangle between the two vectors; positive if `other` points to the right
  /// of this one in an image, whose y axis points down.
  func cross(_ other: PixelVector) -> Double { x * other.y - y * other.x }
}

extension PixelPoint {
  static func - (end: PixelPoint, start: PixelPoint) -> PixelVector {
    PixelVector(x: end.x - start.x, y: end.y - start.y)
  }
}
