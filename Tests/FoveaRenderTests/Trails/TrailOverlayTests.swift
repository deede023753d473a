// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRender
import FoveaTesting
import Testing

@Suite struct TrailOverlayTests {
  static let size = PixelSize(width: 400, height: 300)
  static let box = BoundingBox(x: 300, y: 100, width: 60, height: 100)

  static func canvas(
    _ items: [OverlayItem], counters: [OverlayCounter] = [], on background: RGBColor = RGBColor(hex: 0x808080)
  ) throws -> PixelCanvas {
    let canvas = PixelCanvas(size: size, filled: background)
    try Overlay().draw(items, counters: counters, on: canvas)
    return canvas
  }

  static func item(trail: [PixelPoint], identity: Int? = 1) -> OverlayItem {
    OverlayItem(box: box, caption: "", colorKey: "person", identity: identity, trail: trail)
  }

  /// The distance of a colour from the grey background, summed over the channels.
  static func strength(_ color: RGBColor) -> Int {
    [color.red, color.green, color.blue].reduce(0) { $0 + abs(Int($1) - 0x80) }
  }

  static let straight = (0...30).map { PixelPoint(x: 30 + Double($0) * 10, y: 200) }

  @Test func `a trail fades and thins towards the oldest point`() throws {
    let canvas = try Self.canvas([Self.item(trail: Self.straight)])
    func column(_ x: Int) -> Int { (190..<211).reduce(0) { $0 + Self.strength(canvas.color(x, $1)) } }
    let strengths = [40, 100, 180, 260].map(column)
    #expect(strengths == strengths.sorted())
    try #require(strengths.count > 3)
    #expect(strengths[0] > 0)
    #expect(strengths[3] > 3 * strengths[0])
    func rows(_ x: Int) -> Int { (190..<211).count { Self.strength(canvas.color(x, $0)) > 0 } }
    #expect(rows(40) < rows(280))
  }

  @Test func `a trail lies below every box and chip`() throws {
    let hidden = Self.item(trail: [PixelPoint(x: 330, y: 0), PixelPoint(x: 330, y: 299)])
    let canvas = try Self.canvas([hidden])
    #expect(canvas.color(330, 100) == IdentityPalette.color(for: 1))
    let over = OverlayItem(
      box: BoundingBox(x: 320, y: 20, width: 40, height: 40), caption: "", colorKey: "", identity: 2)
    let both = try Self.canvas([over, hidden])
    #expect(both.color(330, 20) == IdentityPalette.color(for: 2))
  }

  struct EmptyTrail: CustomTestStringConvertible {
    let name: String
    let trail: [PixelPoint]
    var testDescription: String { name }
  }

  static let emptyTrails = [
    EmptyTrail(name: "one point", trail: [PixelPoint(x: 50, y: 50)]),
    EmptyTrail(name: "stands still", trail: Array(repeating: PixelPoint(x: 50, y: 50), count: 90)),
    EmptyTrail(name: "trembles", trail: (0..<90).map { PixelPoint(x: 50 + Double($0 % 2), y: 50) }),
    EmptyTrail(name: "no numbers", trail: [PixelPoint(x: .nan, y: 5), PixelPoint(x: 5, y: .infinity)]),
    EmptyTrail(name: "far away", trail: [PixelPoint(x: -9e9, y: 5), PixelPoint(x: 1e300, y: 5)]),
  ]

  @Test(arguments: emptyTrails) func `a trail without a path draws nothing`(_ trail: EmptyTrail) throws {
    #expect(
      try Self.canvas([Self.item(trail: trail.trail)]).bytes == Self.canvas([Self.item(trail: [])]).bytes)
  }

  @Test func `points that are not numbers are left out of a trail`() throws {
    var broken = Self.straight
    broken.insert(PixelPoint(x: .nan, y: 200), at: 7)
    broken.insert(PixelPoint(x: .infinity, y: -.infinity), at: 15)
    #expect(
      try Self.canvas([Self.item(trail: broken)]).bytes
        == Self.canvas([Self.item(trail: Self.straight)]).bytes)
  }

  @Test func `a trail of a hundred thousand wild points is drawn`() throws {
    var random = SeededGenerator(seed: 3)
    let wild = (0..<100_000).map { _ in
      PixelPoint(x: random.number(-40_000...40_000), y: random.number(-40_000...40_000))
    }
    let canvas = try Self.canvas([Self.item(trail: wild)])
    #expect(canvas.paddingIsUntouched)
  }

  @Test func `the identity chooses the colour before the class does`() throws {
    let edge = (330, 100)
    for identity in [0, 1, 7, 16, -3] {
      let canvas = try Self.canvas([Self.item(trail: [], identity: identity)])
      #expect(canvas.color(edge.0, edge.1) == IdentityPalette.color(for: identity))
    }
    let canvas = try Self.canvas([Self.item(trail: [], identity: nil)])
    #expect(canvas.color(edge.0, edge.1) == ClassPalette.color(for: "person"))
  }
}
