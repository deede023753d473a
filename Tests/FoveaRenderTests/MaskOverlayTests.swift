// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRender
import Testing

@Suite struct MaskOverlayTests {
  private static let size = PixelSize(width: 60, height: 40)
  private static let box = BoundingBox(x: 10, y: 8, width: 40, height: 24)

  /// A mask of 40 × 24 pixels whose cells are 4 × 4 pixels.
  private static func mask(_ isInside: (_ column: Int, _ row: Int) -> Bool) throws -> ObjectMask {
    let cells = (0..<60).map { isInside($0 % 10, $0 / 10) ? UInt8(255) : 0 }
    return try ObjectMask(cells: cells, columns: 10, region: box)
  }

  private static func draw(
    _ mask: ObjectMask?, box: BoundingBox = box, orientedBox: OrientedBox? = nil, caption: String = "",
    size: PixelSize = size
  ) throws -> PixelCanvas {
    let canvas = PixelCanvas(size: size, filled: .white)
    try Overlay().draw(
      [
        OverlayItem(box: box, caption: caption, colorKey: "ship", mask: mask, orientedBox: orientedBox)
      ], on: canvas)
    #expect(canvas.paddingIsUntouched)
    return canvas
  }

  private static let color = ClassPalette.color(for: "ship")

  /// Whether a pixel that was white has 40 % of the colour.
  private static func isFilled(_ pixel: RGBColor) -> Bool {
    func isNear(_ value: UInt8, _ full: UInt8) -> Bool {
      abs(Double(value) - (0.6 * 255 + 0.4 * Double(full))) <= 2
    }
    return isNear(pixel.red, color.red) && isNear(pixel.green, color.green) && isNear(pixel.blue, color.blue)
  }

  /// Whether a pixel is on a thin line that is not along pixels, which covers most of the pixel.
  private static func isNearColor(_ pixel: RGBColor) -> Bool {
    func isNear(_ value: UInt8, _ full: UInt8) -> Bool { abs(Int(value) - Int(full)) <= 60 }
    return isNear(pixel.red, color.red) && isNear(pixel.green, color.green) && isNear(pixel.blue, color.blue)
  }

  struct Place: CustomTestStringConvertible {
    let id: String
    let x: Int
    let y: Int
    let isFilled: Bool
    var testDescription: String { id }
  }

  private static let places = [
    Place(id: "the left part", x: 17, y: 20, isFilled: true),
    Place(id: "the hole", x: 26, y: 20, isFilled: false),
    Place(id: "between hole and right edge", x: 36, y: 20, isFilled: true),
    Place(id: "outside, within the box", x: 46, y: 20, isFilled: false),
    Place(id: "outside the box", x: 5, y: 20, isFilled: false),
  ]

  @Test(arguments: places) func `a mask is filled with 40 % of the colour, without its holes`(
    _ place: Place
  ) throws {
    let mask = try Self.mask { column, row in column < 8 && !(3...4 ~= column && 2...3 ~= row) }
    let pixel = try Self.draw(mask).color(place.x, place.y)
    #expect(Self.isFilled(pixel) == place.isFilled)
    #expect(place.isFilled || pixel == .white)
  }

  @Test func `the edge of a mask has the colour, and its box a thin line`() throws {
    let canvas = try Self.draw(try Self.mask { column, _ in column < 5 })
    // The probability is 0.5 at the boundary of the cells, 20 pixels right of the box's left edge.
    #expect(canvas.color(29, 20) == Self.color && canvas.color(30, 20) == Self.color)
    #expect(Self.isFilled(canvas.color(27, 20)) && canvas.color(32, 20) == .white)
    // The line of the box is 1 pixel wide instead of 2.
    let right = (44..<56).filter { canvas.color($0, 20) == Self.color }
    #expect(right.count == 1)
    let plain = try Self.draw(nil)
    #expect((44..<56).count { plain.color($0, 20) == Self.color } == 2)
  }

  struct NoMaskCase: CustomTestStringConvertible {
    let id: String
    let mask: ObjectMask
    var testDescription: String { id }
  }

  private static func noMasks() throws -> [NoMaskCase] {
    [
      NoMaskCase(
        id: "no cells",
        mask: try ObjectMask(
          cells: [], columns: 0, region: BoundingBox(x: 0, y: 0, width: 0, height: 0))),
      NoMaskCase(id: "all cells 0", mask: try mask { _, _ in false }),
      NoMaskCase(
        id: "outside the image",
        mask: try mask { _, _ in true }.moved(
          from: box, to: BoundingBox(x: 60, y: 8, width: 40, height: 24))),
      NoMaskCase(
        id: "far outside",
        mask: try mask { _, _ in true }.moved(
          from: box, to: BoundingBox(x: -9e6, y: -9e6, width: 40, height: 24))),
    ]
  }

  @Test func `a mask that covers nothing of the image is left out`() throws {
    let plain = try Self.draw(nil).bytes
    for row in try Self.noMasks() { #expect(try Self.draw(row.mask).bytes == plain, "\(row.id)") }
  }

  @Test func `a mask that reaches beyond the image is clipped`() throws {
    let whole = try Self.mask { _, _ in true }
    for box in [
      BoundingBox(x: -20, y: -12, width: 100, height: 64),
      BoundingBox(x: -9e6, y: -40, width: 1.8e7, height: 50),
      BoundingBox(x: 0, y: 0, width: 60, height: 40),
    ] {
      let canvas = try Self.draw(whole.moved(from: Self.box, to: box), box: box)
      #expect(Self.isFilled(canvas.color(30, 5)))
    }
  }

  @Test(arguments: [(0, 0), (59, 0), (0, 39), (59, 39), (30, 20)])
  func `a mask of one pixel is drawn there`(_ x: Int, _ y: Int) throws {
    let box = BoundingBox(x: Double(x), y: Double(y), width: 1, height: 1)
    let canvas = try Self.draw(try ObjectMask(cells: [255], columns: 1, region: box), box: box)
    #expect(canvas.color(x, y) != .white)
    #expect(canvas.color(x < 30 ? x + 8 : x - 8, y) == .white)
  }

  @Test(arguments: Orientation.allCases)
  func `masks and rotated boxes of a stored image fit the upright one`(_ orientation: Orientation) throws {
    // The mask marks the top left quarter of its box: no rotation or reflection maps it to itself.
    let mask = try Self.mask { column, row in column < 5 && row < 3 }
    let ship = OrientedBox(center: PixelPoint(x: 30, y: 20), width: 30, height: 8, angle: 0.4)
    let stored = Self.size
    let canvas = try Self.draw(
      orientation.uprightMask(fromStored: mask, stored: stored),
      box: orientation.uprightBox(fromStored: Self.box, stored: stored),
      orientedBox: orientation.uprightBox(fromStored: ship, stored: stored),
      size: orientation.uprightSize(ofStored: stored))
    func color(_ x: Double, _ y: Double) -> RGBColor {
      let point = orientation.uprightPoint(fromStored: PixelPoint(x: x, y: y), stored: stored)
      return canvas.color(Int(point.x), Int(point.y))
    }
    #expect(Self.isFilled(color(14.5, 11.5)))
    #expect(color(45.5, 11.5) == .white && color(14.5, 28.5) == .white && color(45.5, 30.5) == .white)
    // The rotated box's middle of the short side, along the direction of its angle.
    #expect(Self.isNearColor(color(30 + 15 * 0.921, 20 + 15 * 0.389)))
    #expect(color(30 + 15 * 0.921, 20 - 15 * 0.389) == .white)
  }

  @Test func `a rotated box is drawn in place of the upright one`() throws {
    let ship = OrientedBox(center: PixelPoint(x: 30, y: 20), width: 40, height: 10, angle: .pi / 4)
    let canvas = try Self.draw(nil, box: ship.hull.clamped(to: Self.size), orientedBox: ship)
    #expect(canvas.color(30, 20) == .white)
    // The middles of the long sides.
    #expect(canvas.color(33, 16) == Self.color && canvas.color(26, 23) == Self.color)
    // The corners of the upright box.
    #expect(canvas.color(13, 37) == .white && canvas.color(46, 3) == .white)
  }

  private static let undrawable = [
    OrientedBox(center: PixelPoint(x: 30, y: 20), width: 0, height: 10, angle: 0),
    OrientedBox(center: PixelPoint(x: 30, y: 20), width: 20, height: 10, angle: .nan),
    OrientedBox(center: PixelPoint(x: .infinity, y: 20), width: 20, height: 10, angle: 0),
    OrientedBox(center: PixelPoint(x: 30, y: 20), width: 1e9, height: 10, angle: 0.1),
  ]

  @Test(arguments: undrawable)
  func `a rotated box that cannot be drawn leaves the upright one`(_ box: OrientedBox) throws {
    #expect(try Self.draw(nil, orientedBox: box).bytes == Self.draw(nil).bytes)
  }

  @Test func `the chip of a rotated box touches its upper corner`() throws {
    let size = PixelSize(width: 320, height: 240)
    // The long side rises to the right: the upper corner is the right one.
    let ship = OrientedBox(center: PixelPoint(x: 150, y: 150), width: 200, height: 20, angle: -.pi / 4)
    let canvas = try Self.draw(
      nil, box: ship.hull, orientedBox: ship, caption: "ship 0.9", size: size)
    let top = ship.corners.min { $0.y < $1.y } ?? ship.center
    #expect(canvas.color(Int(top.x) + 4, Int(top.y) - 6) == Self.color)
    #expect(canvas.color(Int(ship.hull.minX) + 4, Int(top.y) - 6) == .white)
  }
}
