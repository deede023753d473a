// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct BoxFlowTests {
  static let box = BoundingBox(x: 120, y: 80, width: 60, height: 90)

  /// A box's movement between two images.
  static func movement(
    _ box: BoundingBox, _ first: SyntheticImage, _ second: SyntheticImage
  ) throws -> BoxMovement {
    var flow = BoxFlow()
    return try #require(try flow.move([box], from: first.pyramid, to: second.pyramid).first)
  }

  @Test(
    "An image moved by a fraction of a pixel, or many pixels, moves the box as far",
    arguments: [
      (0, 0), (0.25, 0), (0, -0.4), (0.5, 0.5), (1, 0), (-2.3, 1.7), (6.6, -5.2), (-14, 9.5), (22, 0),
      (0, -25.5),
    ] as [(Double, Double)])
  func shifts(dx: Double, dy: Double) throws {
    let found = try Self.movement(Self.box, SyntheticImage(), SyntheticImage(dx, dy))
    // Rounding to grey levels moves a window by some hundredths of a pixel.
    #expect(abs(found.dx - dx) < 0.05, "\(found)")
    #expect(abs(found.dy - dy) < 0.05, "\(found)")
    #expect(found.pointCount >= 16)
    #expect(abs(found.box.minX - Self.box.minX - found.dx) < 1e-9)
    #expect(abs(found.box.maxY - Self.box.maxY - found.dy) < 1e-9)
    #expect(abs(found.box.width - Self.box.width) < 1e-9)
  }

  @Test(
    "An image above 640 pixels is followed at half its size, above 2,560 at a quarter",
    arguments: [(700, 200), (1400, 200), (200, 2700)])
  func scales(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let found = try Self.movement(
      Self.box, SyntheticImage(size: size), SyntheticImage(5.4, -7.8, size: size))
    #expect(abs(found.dx - 5.4) < 0.4, "\(found)")
    #expect(abs(found.dy + 7.8) < 0.4, "\(found)")
  }

  @Test("A rotation about the box's centre hardly moves it")
  func turn() throws {
    var turned = SyntheticImage()
    turned.source = { x, y in
      let (u, v) = (x - Self.box.midX, y - Self.box.midY)
      return (Self.box.midX + 0.9986 * u + 0.0523 * v, Self.box.midY - 0.0523 * u + 0.9986 * v)
    }
    let found = try Self.movement(Self.box, SyntheticImage(), turned)
    #expect(abs(found.dx) < 0.6, "\(found)")
    #expect(abs(found.dy) < 0.6, "\(found)")
  }

  @Test(
    "A change of brightness or noise costs a fraction of a pixel",
    arguments: [(1, 8, 0), (0.95, 0, 0), (1.05, -6, 0), (1, 0, 6)] as [(Double, Double, Double)])
  func disturbances(gain: Double, offset: Double, noise: Double) throws {
    var second = SyntheticImage(1.6, -0.7)
    (second.gain, second.offset, second.noise) = (gain, offset, noise)
    let found = try Self.movement(Self.box, SyntheticImage(), second)
    #expect(abs(found.dx - 1.6) < 0.3, "\(found)")
    #expect(abs(found.dy + 0.7) < 0.3, "\(found)")
  }

  @Test(
    "A box without texture is lost, and keeps its position",
    arguments: [
      BoundingBox(x: -200, y: 10, width: 50, height: 50), BoundingBox(x: 256, y: 10, width: 50, height: 50),
      BoundingBox(x: 10, y: 192, width: 5, height: 5), BoundingBox(x: 50, y: 50, width: 0, height: 0),
      BoundingBox(x: 50, y: 50, width: 20, height: 0), BoundingBox(x: 50, y: 50, width: -20, height: 20),
      BoundingBox(x: 50.1, y: 50.1, width: 0.5, height: 0.5),
      BoundingBox(minX: .nan, minY: 0, maxX: 10, maxY: 10),
      BoundingBox(minX: 0, minY: 0, maxX: 10, maxY: .nan),
      BoundingBox(minX: -.infinity, minY: 0, maxX: .infinity, maxY: 10),
      BoundingBox(minX: 1e300, minY: 0, maxX: 1.5e300, maxY: 10),
    ])
  func lost(box: BoundingBox) throws {
    let found = try Self.movement(box, SyntheticImage(), SyntheticImage(1, 1))
    #expect(found.isLost)
    #expect((found.dx, found.dy) == (0, 0))
    #expect("\(found.box)" == "\(box)")
  }

  @Test("A flat image loses every box, whatever follows it")
  func flat() throws {
    var flow = BoxFlow()
    let (flat, other) = (try SyntheticImage.flat(), try SyntheticImage().pyramid)
    #expect(try flow.move([Self.box], from: flat, to: flat).allSatisfy(\.isLost))
    #expect(try flow.move([Self.box], from: flat, to: other).allSatisfy(\.isLost))
  }

  @Test("A box over the edge is followed by the part that is in the image")
  func edge() throws {
    for box in [
      BoundingBox(x: -20, y: 60, width: 60, height: 80), BoundingBox(x: 216, y: 140, width: 60, height: 80),
      BoundingBox(x: -1e6, y: -1e6, width: 2e6, height: 2e6),
    ] {
      let found = try Self.movement(box, SyntheticImage(), SyntheticImage(1.5, -1))
      guard box.width < 1e6 else { continue }
      #expect(abs(found.dx - 1.5) < 0.15, "\(found)")
      #expect(abs(found.dy + 1) < 0.15, "\(found)")
    }
  }

  @Test("A box as large as the image moves with it")
  func whole() throws {
    let found = try Self.movement(
      BoundingBox(x: 0, y: 0, width: 256, height: 192), SyntheticImage(), SyntheticImage(-3.5, 2.5))
    #expect(abs(found.dx + 3.5) < 0.05)
    #expect(abs(found.dy - 2.5) < 0.05)
  }

  @Test(
    "An image smaller than a window does no harm", arguments: [(1, 1), (3, 2), (9, 9), (1, 60), (15, 15)])
  func small(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let found = try Self.movement(
      BoundingBox(x: 0, y: 0, width: Double(width), height: Double(height)), SyntheticImage(size: size),
      SyntheticImage(0.5, 0, size: size))
    #expect(found.box.minX.isFinite)
    #expect(abs(found.dx) <= Double(width) + 16)
  }

  @Test("Every box gets one movement, in order, and boxes do not change each other's")
  func order() throws {
    var flow = BoxFlow()
    let (first, second) = (try SyntheticImage().pyramid, try SyntheticImage(2, 1).pyramid)
    let boxes = [
      Self.box, BoundingBox(x: 900, y: 0, width: 5, height: 5),
      BoundingBox(x: 20, y: 20, width: 30, height: 40),
    ]
    let together = try flow.move(boxes, from: first, to: second)
    #expect(together.map(\.isLost) == [false, true, false])
    for (box, movement) in zip(boxes, together) {
      #expect(try flow.move([box], from: first, to: second) == [movement])
    }
    #expect(try flow.move([BoundingBox](), from: first, to: second).isEmpty)
    #expect(try flow.move(boxes, from: first, to: second) == together)
    #expect(try flow.move(boxes.reversed(), from: first, to: second) == together.reversed())
  }

  @Test("The anchor pulls a box back by half of what it has slid")
  func anchor() throws {
    var flow = BoxFlow()
    let (first, second, third) = (
      try SyntheticImage().pyramid, try SyntheticImage(3, 2).pyramid, try SyntheticImage(5, 3).pyramid
    )
    // After the first step the box is a pixel too far to the right.
    let slid = BoundingBox(x: Self.box.minX + 4, y: Self.box.minY + 2, width: 60, height: 90)
    let found = try flow.move(
      [AnchoredBox(box: slid, anchor: Self.box)], from: second, to: third, anchor: first)
    try #require(!found.isEmpty)
    #expect(abs(found[0].box.minX - (Self.box.minX + 5.5)) < 0.05, "\(found)")
    #expect(abs(found[0].box.minY - (Self.box.minY + 3)) < 0.05)
    #expect(abs(found[0].dx - 1.5) < 0.05)
  }

  @Test("An anchor of something else, or of nothing, changes nothing")
  func uselessAnchor() throws {
    var flow = BoxFlow()
    let (second, third) = (try SyntheticImage(3, 2).pyramid, try SyntheticImage(5, 3).pyramid)
    let plain = try flow.move([Self.box], from: second, to: third)
    for anchor in [
      AnchoredBox(box: Self.box, anchor: BoundingBox(x: 900, y: 900, width: 60, height: 90)),
      AnchoredBox(box: Self.box, anchor: BoundingBox(minX: .nan, minY: .nan, maxX: .nan, maxY: .nan)),
    ] {
      #expect(try flow.move([anchor], from: second, to: third, anchor: SyntheticImage().pyramid) == plain)
    }
    let anchored = AnchoredBox(box: Self.box, anchor: Self.box)
    #expect(try flow.move([anchored], from: second, to: third, anchor: SyntheticImage.flat()) == plain)
  }

  @Test("Images of different sizes, and missing ones, are errors with a remedy")
  func errors() throws {
    var flow = BoxFlow()
    let wide = try SyntheticImage().pyramid
    let narrow = try SyntheticImage(size: PixelSize(width: 100, height: 50)).pyramid
    let mismatch =
      "the images are 256 × 192 and 100 × 50 pixels; they must have the same size."
      + " Start again with a detector's boxes when the size of the frames changes."
    var error = #expect(throws: FlowError.self) { _ = try flow.move([Self.box], from: wide, to: narrow) }
    #expect(error?.code == .sizeMismatch)
    #expect(error?.description == mismatch)
    error = #expect(throws: FlowError.self) { _ = try flow.move([Self.box], from: wide, to: GreyPyramid()) }
    #expect(error?.code == .noImage)
    #expect(error?.description == "a pyramid has no image. Fill it with update(from:) first.")
    let anchored = [AnchoredBox(box: Self.box, anchor: Self.box)]
    error = #expect(throws: FlowError.self) {
      _ = try flow.move(anchored, from: wide, to: wide, anchor: narrow)
    }
    #expect(error?.code == .sizeMismatch)
  }
}
