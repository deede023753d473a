// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Finds the shift of the image in a box, with memory that is reused.
struct BoxSearch: Sendable {
  /// The points in each direction from which the coarse levels find the start of the fine one.
  private static let coarseSide = 3
  /// The part of a box that is excluded on each side, which shows more background than object.
  private static let border = 0.05
  /// The limit of the forward-backward error of a point, in pixels; points at or above it are ignored.
  private static let largestError = 1.0
  /// The minimum number of points for a result.
  private static let leastPoints = 4

  private var grid = PointGrid()
  private var x: [Double] = []
  private var y: [Double] = []
  private var errors: [Double] = []
  private var sorted: [Double] = []

  /// Searches for the shift of the image in a box.
  ///
  /// The coarse levels are searched at a few points, whose median is the start for the points of the fine
  /// level: the image in a box moves as one, and on coarse levels the windows of its points are nearly the
  /// same. Of the points that return to within a pixel, the median of the better half is the shift.
  /// - Parameters:
  ///   - box: The box in the first image, in pixels of the image.
  ///   - pair: The two images.
  ///   - scale: The pixels of the image per pixel of the first level.
  ///   - side: The points in each direction on the fine level.
  ///   - coarsest: The level to start with; lower if the pyramid has fewer levels.
  ///   - guess: The shift to start with, in pixels of the image.
  /// - Returns: The shift in pixels of the image and the number of points that agree on it; nil with fewer
  ///   than 4.
  ///
  /// **Source:** Kalal, Mikolajczyk, Matas, "Forward-Backward Error: Automatic Detection of Tracking
  /// Failures", ICPR 2010.
  mutating func shift(
    of box: BoundingBox, in pair: PyramidPair, scale: Int, side: Int, coarsest: Int, from guess: SIMD2<Double>
  ) -> (shift: SIMD2<Double>, pointCount: Int)? {
    let unit = Double(scale)
    let level = unsafe pair.levels[0]
    let top = unsafe min(coarsest, pair.levels.count - 1)
    var start = guess / unit
    if top > 0 {
      grid.spread(Self.coarseSide, border: 0.5 / Double(Self.coarseSide), over: box, level, scale: scale)
      clear()
      for row in grid.rows {
        for column in grid.columns {
          if let found = unsafe pair.displacement(column, row, levels: 1...top, from: start) {
            append(found, error: 0)
          }
        }
      }
      if let found = median(upTo: 0) { start = found.shift }
    }
    grid.spread(side, border: Self.border, over: box, level, scale: scale)
    clear()
    for row in grid.rows {
      for column in grid.columns {
        let found = unsafe pair.displacementAndError(column, row, levels: 0...0, from: start)
        if let found { append(found.displacement, error: found.error) }
      }
    }
    guard errors.count >= Self.leastPoints else { return nil }
    sorted.append(contentsOf: errors)
    let limit = min(Median.selecting(&sorted), Self.largestError.nextDown)
    guard let found = median(upTo: limit), found.pointCount >= Self.leastPoints else { return nil }
    return (found.shift * unit, found.pointCount)
  }

  private mutating func clear() {
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    errors.removeAll(keepingCapacity: true)
    sorted.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ displacement: SIMD2<Double>, error: Double) {
    x.append(displacement.x)
    y.append(displacement.y)
    errors.append(error)
  }

  /// Returns the median in each direction of the displacements with an error of at most `limit`; nil if there
  /// are none.
  private mutating func median(upTo limit: Double) -> (shift: SIMD2<Double>, pointCount: Int)? {
    sorted.removeAll(keepingCapacity: true)
    for index in errors.indices where errors[index] <= limit { sorted.append(x[index]) }
    guard !sorted.isEmpty else { return nil }
    let count = sorted.count
    let shiftX = Median.selecting(&sorted)
    sorted.removeAll(keepingCapacity: true)
    for index in errors.indices where errors[index] <= limit { sorted.append(y[index]) }
    return (SIMD2(shiftX, Median.selecting(&sorted)), count)
  }
}

/// The median of numbers.
enum Median {
  /// Partitions the numbers in place, without memory, and returns the median.
  /// - Parameter numbers: At least one number, without NaN.
  /// - Returns: The middle number, or the mean of the two in the middle.
  /// - Complexity: O(n) on average.
  ///
  /// **Source:** Hoare, "Algorithm 65: Find", Communications of the ACM, 1961.
  static func selecting<Number: FloatingPoint>(_ numbers: inout [Number]) -> Number {
    let middle = numbers.count / 2
    var (low, high) = (0, numbers.count - 1)
    while low < high {
      let pivot = numbers[(low + high) / 2]
      var (left, right) = (low, high)
      while left <= right {
        while numbers[left] < pivot { left += 1 }
        while numbers[right] > pivot { right -= 1 }
        guard left <= right else { break }
        numbers.swapAt(left, right)
        (left, right) = (left + 1, right - 1)
      }
      if middle > right { low = left }
      if middle < left { high = right }
    }
    guard numbers.count % 2 == 0 else { return numbers[middle] }
    let below = numbers[..<middle].reduce(-Number.infinity) { max($0, $1) }
    return (below + numbers[middle]) / 2
  }
}
