// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRender
import Testing

@Suite struct OverlayTests {
  static let size = PixelSize(width: 320, height: 240)
  static let home = ClassPalette.color(for: "Home good")

  static func item(_ box: BoundingBox, caption: String = "", key: String = "Home good") -> OverlayItem {
    OverlayItem(box: box, caption: caption, colorKey: key)
  }

  @Test(arguments: [RGBColor.black, .white, RGBColor(hex: 0x808080), home])
  func `line and halo are visible on any background`(_ background: RGBColor) throws {
    let canvas = PixelCanvas(size: Self.size, filled: background)
    let box = BoundingBox(minX: 100, minY: 80, maxX: 200, maxY: 160)
    #expect(try Overlay().draw([Self.item(box)], on: canvas) == 1)
    // The line is 2 pixels wide and centred on the box's edge.
    #expect(canvas.color(99, 120) == Self.home)
    #expect(canvas.color(100, 120) == Self.home)
    #expect(canvas.color(200, 120) == Self.home)
    #expect(canvas.color(150, 79) == Self.home)
    #expect(canvas.color(150, 160) == Self.home)
    #expect(canvas.color(98, 120).contrast(with: Self.home) > 2)
    #expect(canvas.color(101, 120).contrast(with: Self.home) > 2)
    #expect(canvas.color(150, 120) == background)
    #expect(canvas.color(96, 120) == background)
    // The corner is rounded.
    #expect(canvas.color(99, 79) != Self.home)
  }

  @Test func `a caption is drawn in the class colour above the box`() throws {
    let canvas = PixelCanvas(size: Self.size, filled: .white)
    try Overlay().draw(
      [Self.item(.init(x: 100, y: 80, width: 120, height: 80), caption: "cup 0.9")], on: canvas)
    #expect(canvas.color(101, 75) == Self.home)
    // Text is any pixel in the chip's middle without the chip's colour: its darkness depends on the font.
    let middle = BoundingBox(minX: 102, minY: 66, maxX: 140, maxY: 76)
    #expect(Int(middle.area) - canvas.count(Self.home, in: middle) > 40)
  }

  @Test func `without captions only boxes are drawn`() throws {
    let item = Self.item(.init(x: 100, y: 80, width: 120, height: 80), caption: "cup 0.9")
    var style = OverlayStyle()
    style.showsCaptions = false
    let bare = PixelCanvas(size: Self.size, filled: .white)
    try Overlay(style: style).draw([item], on: bare)
    let plain = PixelCanvas(size: Self.size, filled: .white)
    try Overlay().draw([Self.item(item.box, caption: " \n")], on: plain)
    #expect(bare.bytes == plain.bytes)
    #expect(bare.color(101, 75) == .white)
  }

  @Test func `nothing to draw changes nothing`() throws {
    let canvas = PixelCanvas(size: Self.size, filled: RGBColor(hex: 0x123456))
    let before = canvas.bytes
    #expect(try Overlay().draw([], on: canvas) == 0)
    #expect(canvas.bytes == before)
  }

  struct SkippedCase: CustomTestStringConvertible {
    let id: String
    let box: BoundingBox
    var testDescription: String { id }
  }

  static let skipped = [
    SkippedCase(id: "NaN left", box: .init(minX: .nan, minY: 0, maxX: 10, maxY: 10)),
    SkippedCase(id: "NaN bottom", box: .init(minX: 0, minY: 0, maxX: 10, maxY: .nan)),
    SkippedCase(id: "all NaN", box: .init(minX: .nan, minY: .nan, maxX: .nan, maxY: .nan)),
    SkippedCase(id: "infinite corner", box: .init(minX: .infinity, minY: 0, maxX: .infinity, maxY: 10)),
    SkippedCase(id: "no width", box: .init(x: 50, y: 50, width: 0, height: 20)),
    SkippedCase(id: "crossed edges", box: .init(x: 50, y: 50, width: -20, height: 20)),
    SkippedCase(id: "left of the image", box: .init(x: -50, y: 50, width: 50, height: 20)),
    SkippedCase(id: "right of the image", box: .init(x: 320, y: 50, width: 50, height: 20)),
    SkippedCase(id: "above the image", box: .init(x: 50, y: -50, width: 50, height: 49)),
    SkippedCase(id: "far below the image", box: .init(x: 50, y: 1e300, width: 50, height: 20)),
  ]

  @Test(arguments: skipped) func `a box with nothing to show is skipped`(_ skipped: SkippedCase) throws {
    let canvas = PixelCanvas(size: Self.size, filled: .white)
    let before = canvas.bytes
    #expect(try Overlay().draw([Self.item(skipped.box, caption: "ghost 0.5")], on: canvas) == 0)
    #expect(canvas.bytes == before)
    let good = Self.item(.init(x: 10, y: 10, width: 50, height: 50))
    #expect(try Overlay().draw([Self.item(skipped.box), good], on: canvas) == 1)
  }

  @Test(arguments: [
    BoundingBox(minX: -1e300, minY: -1e300, maxX: 1e300, maxY: 1e300),
    BoundingBox(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity),
    BoundingBox(minX: -5, minY: -5, maxX: 330, maxY: 250),
  ])
  func `a box larger than the image is drawn along its edges`(_ box: BoundingBox) throws {
    let canvas = PixelCanvas(size: Self.size, filled: .white)
    #expect(try Overlay().draw([Self.item(box)], on: canvas) == 1)
    for (x, y) in [(0, 120), (319, 120), (160, 0), (160, 239)] { #expect(canvas.color(x, y) == Self.home) }
    #expect(canvas.color(160, 120) == .white)
  }

  @Test(arguments: [(1, 1), (3, 2), (2, 3), (1, 500), (500, 1), (17, 17), (40, 30), (16, 1000), (1000, 36)])
  func `tiny and odd images are drawn on, and memory between the rows stays`(
    _ width: Int, _ height: Int
  ) throws {
    let canvas = PixelCanvas(size: PixelSize(width: width, height: height), filled: .white)
    let boxes = [
      BoundingBox(x: -5, y: -5, width: 10, height: 10),
      BoundingBox(x: 0, y: 0, width: Double(width), height: Double(height)),
      BoundingBox(x: Double(width) - 1, y: Double(height) - 1, width: 30, height: 30),
    ]
    let items = boxes.map { Self.item($0, caption: "a rather long label 0.99") }
    #expect(try Overlay().draw(items, on: canvas) == 3)
    #expect(canvas.paddingIsUntouched)
  }

  struct TextCase: CustomTestStringConvertible {
    let id: String
    let text: String
    var testDescription: String { id }
  }

  static let texts = [
    TextCase(id: "empty", text: ""),
    TextCase(id: "Japanese", text: "日本語のラベル"),
    TextCase(id: "Greek and Cyrillic", text: "Ελληνικά Кот"),
    TextCase(id: "right to left", text: "العربية עברית"),
    TextCase(id: "emoji", text: "👩‍🚀🐈"),
    TextCase(id: "a zero byte", text: "a\0b"),
    TextCase(id: "noncharacters", text: CaptionTextTests.noncharacters),
    TextCase(id: "line ends", text: "line\nbreak\ttab"),
    TextCase(id: "font syntax", text: ":,-=*"),
    TextCase(id: "two megabytes", text: String(repeating: "long label ", count: 200_000)),
    TextCase(id: "thousands of accents", text: "e" + String(repeating: "\u{301}", count: 9_999)),
  ]

  @Test(arguments: texts) func `any text is drawn without failing`(_ text: TextCase) throws {
    let canvas = PixelCanvas(size: Self.size, filled: .white)
    let item = Self.item(.init(x: 20, y: 60, width: 50, height: 50), caption: text.text, key: text.text)
    #expect(try Overlay().draw([item], on: canvas) == 1)
    #expect(canvas.paddingIsUntouched)
  }

  @Test(arguments: texts) func `a missing font is replaced or an error`(_ family: TextCase) throws {
    var style = OverlayStyle()
    style.fontFamily = family.text
    let canvas = PixelCanvas(size: Self.size, filled: .white)
    let before = canvas.bytes
    let item = Self.item(.init(x: 20, y: 60, width: 50, height: 50), caption: "a")
    do throws(RenderError) {
      #expect(try Overlay(style: style).draw([item], on: canvas) == 1)
    } catch {
      #expect(error.code == .fontUnusable)
      #expect(canvas.bytes == before)
    }
  }

  @Test func `line width and text grow with the image and the scale`() throws {
    let box = BoundingBox(x: 500, y: 500, width: 1000, height: 1000)
    func lineWidth(_ scale: Double) throws -> Int {
      let canvas = PixelCanvas(size: PixelSize(width: 2000, height: 2000), filled: .white)
      var style = OverlayStyle()
      style.scale = scale
      try Overlay(style: style).draw([Self.item(box)], on: canvas)
      return canvas.count(Self.home, in: .init(minX: 400, minY: 1000, maxX: 600, maxY: 1001))
    }
    #expect(try lineWidth(1) == 8)
    #expect(try lineWidth(2) == 16)
    #expect(try lineWidth(0.1) == 1)
  }

  @Test(arguments: [0, 0.09, 10.1, -1, .nan, .infinity])
  func `a scale out of range is an error`(_ scale: Double) {
    var style = OverlayStyle()
    style.scale = scale
    let canvas = PixelCanvas(size: Self.size, filled: .white)
    let error = #expect(throws: RenderError.self) { try Overlay(style: style).draw([], on: canvas) }
    #expect(error?.code == .invalidStyle)
    #expect(
      error?.description
        == "OverlayStyle.scale is \(scale); expected 0.1 to 10. Set a factor in this range, 1 for the default look."
    )
  }

  @Test(arguments: [(32_768, 1), (1, 40_000)])
  func `a canvas beyond Cairo's limit is an error`(_ width: Int, _ height: Int) {
    let canvas = PixelCanvas(size: PixelSize(width: width, height: height))
    let error = #expect(throws: RenderError.self) { try Overlay().draw([], on: canvas) }
    #expect(error?.code == .canvasUnusable)
    #expect(
      error?.description
        == "The image is \(width) × \(height) pixels; drawing is possible up to 32767 on each side. "
        + "Draw on a smaller copy of the image.")
  }

  @Test func `the widest canvas is drawn on`() throws {
    let canvas = PixelCanvas(size: PixelSize(width: 32_767, height: 60), filled: .white)
    let item = Self.item(.init(x: 32_700, y: 30, width: 100, height: 25), caption: "edge 0.5")
    #expect(try Overlay().draw([item], on: canvas) == 1)
    #expect(canvas.color(32_766, 42) == Self.home)
  }

  @Test func `drawing twice gives the same image`() throws {
    let items = (0..<40).map { (index: Int) -> OverlayItem in
      let box = BoundingBox(x: Double(index * 7 % 300), y: Double(index * 11 % 200), width: 60, height: 40)
      return Self.item(box, caption: "class \(index)", key: "class \(index)")
    }
    let drawings = try (0..<2).map { _ in
      let canvas = PixelCanvas(size: Self.size, filled: .white)
      try Overlay().draw(items, on: canvas)
      return canvas.bytes
    }
    #expect(drawings[0] == drawings[1])
  }
}
