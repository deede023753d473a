// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRender
import Testing

@Suite struct OverlayCounterTests {
  static let grey = RGBColor(hex: 0x808080)

  static func canvas(_ counters: [OverlayCounter], items: [OverlayItem] = []) throws -> PixelCanvas {
    try TrailOverlayTests.canvas(items, counters: counters)
  }

  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ caption: String = "")
    -> OverlayCounter
  {
    OverlayCounter(
      shape: .line(from: PixelPoint(x: x1, y: y1), to: PixelPoint(x: x2, y: y2)), caption: caption)
  }

  static func zone(_ points: [(Double, Double)], _ caption: String = "") -> OverlayCounter {
    OverlayCounter(shape: .zone(points.map { PixelPoint(x: $0.0, y: $0.1) }), caption: caption)
  }

  @Test func `the arrow of a line points to its right side`() throws {
    let down = try Self.canvas([Self.line(100, 150, 300, 150)])
    #expect(down.color(120, 150) == .white)
    #expect(down.color(200, 160) == .white)
    #expect(down.color(200, 140) == Self.grey)
    let up = try Self.canvas([Self.line(300, 150, 100, 150)])
    #expect(up.color(200, 140) == .white)
    #expect(up.color(200, 160) == Self.grey)
    let left = try Self.canvas([Self.line(200, 50, 200, 250)])
    #expect(left.color(190, 150) == .white)
    #expect(left.color(210, 150) == Self.grey)
  }

  @Test func `a zone is outlined and faintly filled, also where it is concave`() throws {
    let canvas = try Self.canvas([Self.zone([(50, 50), (350, 50), (200, 150), (350, 250), (50, 250)])])
    #expect(canvas.color(50, 150) == .white)
    let inside = canvas.color(100, 150)
    #expect(inside.red > Self.grey.red && inside.red < 0xB0)
    #expect(canvas.color(330, 150) == Self.grey)
  }

  @Test(arguments: [(200.0, 150.0, 380.0, 150.0), (5, 5, 395, 8), (399, 1, 399, 299), (-90, 400, 100, 299)])
  func `the chip of a line stays in the image and clear of chips of objects`(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
  ) throws {
    let bare = try Self.canvas([Self.line(x1, y1, x2, y2)])
    let canvas = try Self.canvas([Self.line(x1, y1, x2, y2, "in 3 · out 1")])
    let all = BoundingBox(x: 0, y: 0, width: 400, height: 300)
    #expect(canvas.count(.white, in: all) > bare.count(.white, in: all) + 500)
    #expect(canvas.count(.black, in: all) > 20)
    #expect(canvas.paddingIsUntouched)
  }

  @Test func `chips of objects make room for that of a line or zone`() throws {
    let counter = Self.zone([(100, 100), (300, 100), (300, 250), (100, 250)], "inside 2")
    let alone = try Self.canvas([counter])
    let item = OverlayItem(
      box: BoundingBox(x: 165, y: 98, width: 70, height: 60), caption: "person 0.9", colorKey: "", identity: 1
    )
    let both = try Self.canvas([counter], items: [item])
    let chip = BoundingBox(x: 170, y: 85, width: 60, height: 10)
    #expect(both.count(.white, in: chip) == alone.count(.white, in: chip))
  }

  struct BadCounter: CustomTestStringConvertible {
    let name: String
    let counter: OverlayCounter
    var testDescription: String { name }
  }

  static let badCounters = [
    BadCounter(name: "no length", counter: line(5, 5, 5, 5, "x")),
    BadCounter(name: "NaN", counter: line(5, .nan, 5, 50, "x")),
    BadCounter(name: "infinite", counter: line(5, 5, .infinity, 50, "x")),
    BadCounter(name: "huge", counter: line(5, 5, 1e300, 50, "x")),
    BadCounter(name: "no corners", counter: zone([], "x")),
    BadCounter(name: "two corners", counter: zone([(1, 1), (9, 9)], "x")),
    BadCounter(name: "one place", counter: zone([(1, 1), (1, 1), (1, 1)], "x")),
  ]

  @Test(arguments: badCounters)
  func `a line or zone with nothing to show is skipped`(_ bad: BadCounter) throws {
    #expect(try Self.canvas([bad.counter]).bytes == Self.canvas([]).bytes)
  }

  @Test func `a line or zone leaves the image outside unchanged and does not count as an object`() throws {
    let canvas = PixelCanvas(size: TrailOverlayTests.size, filled: Self.grey)
    #expect(try Overlay().draw([], counters: [Self.line(10, 10, 60, 10)], on: canvas) == 0)
    #expect(canvas.count(Self.grey, in: BoundingBox(x: 0, y: 60, width: 400, height: 240)) == 400 * 240)
  }
}
