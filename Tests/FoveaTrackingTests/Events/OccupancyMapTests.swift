// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaTracking

@Suite struct OccupancyMapTests {
  private static let size = PixelSize(width: 100, height: 60)

  /// A box with its foot at a point.
  private static func box(_ x: Double, _ y: Double) -> BoundingBox {
    BoundingBox(x: x - 5, y: y - 20, width: 10, height: 20)
  }

  @Test func `the cells add up to the seconds of all objects`() {
    var map = OccupancyMap(of: Self.size)
    var sum = 0.0
    var last: Double?
    for frame in 0..<500 {
      // Irregular times, and one, two or no objects.
      let time = Double(frame) / 29.97 + Double(frame % 7) * 0.003
      let boxes = (0..<frame % 3).map {
        Self.box(Double(frame * 13 % 120) - 10, Double(frame * (7 + $0) % 80))
      }
      sum += Double(boxes.count) * (time - (last ?? time))
      last = time
      map.update(boxes, seconds: time)
    }
    #expect(map.columns == 13 && map.rows == 8 && map.seconds.count == 104)
    #expect(abs(map.seconds.reduce(0, +) - sum) < 1e-9)
    #expect(abs(map.smoothed().reduce(0, +) - sum) < 1e-9)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let box: BoundingBox
    /// The cell; nil if the box does not count.
    let cell: Int?
  }

  @Test(arguments: [
    Row(testDescription: "the first cell", box: box(0, 0), cell: 0),
    Row(testDescription: "the edge of two cells", box: box(8, 0), cell: 1),
    Row(testDescription: "the second row", box: box(7.9, 8), cell: 13),
    Row(testDescription: "left of the frame", box: box(-900, 9), cell: 13),
    Row(testDescription: "below the frame", box: box(99, 600), cell: 103),
    Row(testDescription: "huge", box: BoundingBox(x: 1e300, y: 1e300, width: 1, height: 1), cell: 103),
    Row(testDescription: "not a number", box: box(.nan, 5), cell: nil),
    Row(testDescription: "not finite", box: box(.infinity, 5), cell: nil),
  ])
  func `a foot counts in its cell, one outside in the nearest`(_ row: Row) {
    var map = OccupancyMap(of: Self.size)
    map.update([row.box], seconds: 3)
    map.update([row.box], seconds: 3.5)
    #expect(map.seconds.firstIndex { $0 > 0 } == row.cell)
    #expect(map.seconds.reduce(0, +) == (row.cell == nil ? 0 : 0.5))
  }

  @Test(
    arguments: [([5, 4, 4.5], 0.5), ([0, 3_600, 3_601], 11), ([1, .nan, 2], 1), ([7], 0)]
      as [([Double], Double)])
  func `steps back are no time, and long ones ten seconds`(_ times: [Double], _ sum: Double) {
    var map = OccupancyMap(of: Self.size)
    for time in times { map.update([Self.box(50, 30)], seconds: time) }
    #expect(map.seconds.reduce(0, +) == sum)
  }

  @Test func `a cell is spread by the binomial filter, twice`() {
    var map = OccupancyMap(of: Self.size)
    map.update([], seconds: 0)
    map.update([Self.box(50, 30)], seconds: 1)
    // 1, 4, 6, 4, 1 of 16 in both directions.
    let smoothed = map.smoothed()
    let (column, row) = (6, 3)
    for (dx, weight) in [(-2, 1.0), (-1, 4), (0, 6), (1, 4), (2, 1), (3, 0)] {
      #expect(smoothed[row * 13 + column + dx] == weight * 6 / 256)
      #expect(smoothed[(row + dx) * 13 + column] == weight * 6 / 256)
    }
  }

  @Test func `a frame without pixels has one cell`() {
    var map = OccupancyMap(of: PixelSize(width: 0, height: 0))
    map.update([Self.box(5, 5)], seconds: 0)
    map.update([Self.box(5, 5)], seconds: 1)
    #expect(map.seconds == [1] && map.smoothed() == [1])
  }
}
