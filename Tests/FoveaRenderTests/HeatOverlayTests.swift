// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTracking
import Testing

@testable import FoveaRender

@Suite struct HeatOverlayTests {
  private static let size = PixelSize(width: 101, height: 63)
  private static let grey = RGBColor(hex: 0x808080)

  /// Returns the map of feet and seconds at them.
  private static func map(_ stays: [(x: Double, y: Double, seconds: Double)]) -> OccupancyMap {
    var map = OccupancyMap(of: size)
    var time = 0.0
    map.update([], seconds: time)
    for stay in stays {
      time += stay.seconds
      map.update([BoundingBox(x: stay.x - 5, y: stay.y - 9, width: 10, height: 9)], seconds: time)
    }
    return map
  }

  @Test func `the most time is red, less is blue, and no time stays as it was`() {
    let canvas = PixelCanvas(size: Self.size, filled: Self.grey)
    canvas.paint(Self.map([(20, 28, 9), (76, 28, 0.09)]))
    let (most, less) = (canvas.color(20, 28), canvas.color(76, 28))
    #expect(most.red > 200 && most.green < 110 && most.blue < 100)
    #expect(less.blue > less.red && less != Self.grey)
    #expect(canvas.color(100, 62) == Self.grey)
    #expect(canvas.paddingIsUntouched)
  }

  @Test func `without time, nothing is painted`() {
    let canvas = PixelCanvas(size: Self.size, filled: Self.grey)
    canvas.paint(Self.map([]))
    #expect(canvas.count(Self.grey, in: BoundingBox(x: 0, y: 0, width: 101, height: 63)) == 101 * 63)
  }
}
