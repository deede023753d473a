// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The plane of the ground, from a rectangle on it whose size is known.
///
/// A homography maps pixels to metres, exactly for a camera without distortion. **Source:** Hartley and
/// Zisserman, "Multiple View Geometry in Computer Vision", section 4.1, with the points scaled first.
package struct GroundPlane: Sendable, Hashable {
  /// A place on the ground.
  package struct Place: Sendable, Hashable {
    /// The metres from the first corner in the direction of the second.
    package var x: Double
    /// The metres from the first corner in the direction of the fourth.
    package var y: Double
    /// The metres of one pixel, in the direction in which they are most.
    package var accuracy: Double
  }

  /// The largest accuracy at which places are known, in metres.
  private static let worstAccuracy = 0.5
  /// The largest distance from the middle of the rectangle, in halves of its sides.
  private static let reach = 2.0
  /// The largest side of the rectangle, in metres.
  private static let longestSide = 10_000.0
  /// The least sine of an angle of the quad.
  private static let leastSine = 0.01

  /// The corners of the rectangle, in pixels of the frame.
  package let corners: [PixelPoint]
  /// The side from the first to the second corner, in metres.
  package let width: Double
  /// The side from the second to the third corner, in metres.
  package let length: Double
  /// Centres and scales pixels for the homography.
  private let scaling: Scaling
  /// The first eight elements of the homography, row by row; the ninth is 1.
  private let matrix: [Double]

  /// Creates the plane of a rectangle.
  /// - Parameters:
  ///   - corners: The four corners in order, in pixels of the frame, within ±1,000,000.
  ///   - width: The side from the first to the second corner in metres, more than 0 and at most 10,000.
  ///   - length: The side from the second to the third corner in metres, likewise.
  /// - Throws: `invalid-ground` if the corners are not those of a rectangle in front of a camera, or a side
  ///   is outside its range.
  package init(_ corners: [PixelPoint], width: Double, length: Double) throws(CountingError) {
    // The negated form also refuses NaN.
    if let side = [width, length].first(where: { !($0 > 0 && $0 <= Self.longestSide) }) {
      throw Self.invalid(
        "A side of the ground is \(side) metres; more than 0 and at most 10000 expected",
        "Give the width and length in metres, such as 6x20")
    }
    try Self.check(corners)
    (self.corners, self.width, self.length) = (corners, width, length)
    scaling = Scaling(corners)
    guard let matrix = Self.homography(corners.map(scaling.scaled)) else {
      throw Self.invalid("The corners of the ground are too close to a line", "Give a larger rectangle")
    }
    self.matrix = matrix
  }

  /// Returns the same plane in pixels of the upright frame.
  /// - Parameters:
  ///   - orientation: The orientation of the stored frame, whose pixels the corners use.
  ///   - size: The size of the stored frame.
  /// - Returns: The plane.
  /// - Throws: `invalid-ground` if rotation moves a corner too far.
  package func rotated(
    by orientation: Orientation, stored size: PixelSize
  ) throws(CountingError) -> GroundPlane {
    try GroundPlane(
      corners.map { orientation.uprightPoint(fromStored: $0, stored: size) }, width: width, length: length)
  }

  /// Returns the place of a point on the ground.
  /// - Parameter point: The point in pixels of the frame.
  /// - Returns: The place; nil outside a rectangle of twice the sides around the same middle, and if a pixel
  ///   is more than half a metre.
  package func place(of point: PixelPoint) -> Place? {
    let at = scaling.scaled(point)
    let depth = matrix[6] * at.x + matrix[7] * at.y + 1
    // Above the horizon, the ground would be behind the camera.
    guard depth > 1e-9 else { return nil }
    let u = (matrix[0] * at.x + matrix[1] * at.y + matrix[2]) / depth
    let v = (matrix[3] * at.x + matrix[4] * at.y + matrix[5]) / depth
    guard abs(u) <= Self.reach, abs(v) <= Self.reach else { return nil }
    let (across, along) = (scaling.factor / depth * width / 2, scaling.factor / depth * length / 2)
    let (a, b) = ((matrix[0] - u * matrix[6]) * across, (matrix[1] - u * matrix[7]) * across)
    let (c, d) = ((matrix[3] - v * matrix[6]) * along, (matrix[4] - v * matrix[7]) * along)
    // The larger singular value of the derivative.
    let (sum, determinant) = (a * a + b * b + c * c + d * d, a * d - b * c)
    let accuracy = ((sum + max(0, sum * sum - 4 * determinant * determinant).squareRoot()) / 2).squareRoot()
    guard accuracy <= Self.worstAccuracy else { return nil }
    return Place(x: (u + 1) / 2 * width, y: (v + 1) / 2 * length, accuracy: accuracy)
  }
}

extension GroundPlane {
  /// Moves the middle of points to the origin, and scales their mean distance from it to √2.
  private struct Scaling: Sendable, Hashable {
    let middle: PixelPoint
    let factor: Double

    init(_ points: [PixelPoint]) {
      let count = Double(points.count)
      let middle = PixelPoint(
        x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
      self.middle = middle
      factor = 2.0.squareRoot() * count / points.reduce(0) { $0 + ($1 - middle).length }
    }

    func scaled(_ point: PixelPoint) -> PixelPoint {
      PixelPoint(x: (point.x - middle.x) * factor, y: (point.y - middle.y) * factor)
    }
  }

  private static func invalid(_ message: String, _ remedy: Advice) -> CountingError {
    CountingError(.invalidGround, message, remedy: remedy)
  }

  /// Throws for corners that are not those of a convex quad, as the image of a rectangle in front of a camera
  /// is.
  private static func check(_ corners: [PixelPoint]) throws(CountingError) {
    guard corners.count == 4 else {
      throw invalid(
        "The ground has \(corners.count) corners; 4 expected", "Give the corners of a rectangle on the ground"
      )
    }
    let limit = CountingOptions.largestCoordinate
    if let index = corners.firstIndex(where: { !(abs($0.x) <= limit && abs($0.y) <= limit) }) {
      throw invalid(
        "Corner \(index + 1) of the ground is \(corners[index]); numbers within ±\(limit) expected",
        "Give the corners in pixels of the frame")
    }
    let edges = corners.indices.map { corners[($0 + 1) % 4] - corners[$0] }
    if let index = edges.firstIndex(where: { $0.length < 1 }) {
      throw invalid(
        "Corner \(index + 1) of the ground, \(corners[index]), is less than a pixel from the next",
        "Give four different corners")
    }
    let sines = edges.indices.map { index in
      let (before, after) = (edges[(index + 3) % 4], edges[index])
      return before.cross(after) / (before.length * after.length)
    }
    if let index = sines.firstIndex(where: { abs($0) < leastSine }) {
      throw invalid(
        "Corner \(index + 1) of the ground, \(corners[index]), is on a line with its neighbours",
        "Give the corners of a rectangle on the ground")
    }
    guard sines.allSatisfy({ $0 > 0 }) || sines.allSatisfy({ $0 < 0 }) else {
      throw invalid(
        "The corners of the ground do not form the image of a rectangle",
        "Give the corners in order around the rectangle")
    }
  }

  /// Returns the homography from four points to the corners of the square from −1 to 1; nil if there is none.
  ///
  /// It is the solution of eight equations, by elimination with the largest pivot.
  private static func homography(_ points: [PixelPoint]) -> [Double]? {
    var rows: [[Double]] = []
    for (point, (u, v)) in zip(points, [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)]) {
      let (x, y) = (point.x, point.y)
      rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
      rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    }
    let count = rows.count
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-9
      else { return nil }
      rows.swapAt(column, pivot)
      for row in 0..<count where row != column {
        let factor = rows[row][column] / rows[column][column]
        for place in column...count { rows[row][place] -= factor * rows[column][place] }
      }
    }
    return rows.indices.map { rows[$0][count] / rows[$0][$0] }
  }
}
