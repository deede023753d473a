// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import Testing

/// A camera's motion, and the sizes of the images it is estimated from.
struct CameraCase: Sendable, CustomTestStringConvertible {
  var name: String
  var zoom = 1.0
  var turn = 0.0
  var dx = 0.0
  var dy = 0.0
  var size = PixelSize(width: 320, height: 240)
  /// The allowed error of an image corner, in pixels.
  var tolerance = 0.1

  var testDescription: String { name }

  /// The second image: the content of each position was elsewhere in the first.
  var second: SyntheticImage {
    var image = SyntheticImage(size: size)
    // The inverse of x' = a x − b y + dx, y' = b x + a y + dy.
    let (a, b) = (zoom * cosine, zoom * sine)
    let (determinant, dx, dy) = (a * a + b * b, dx, dy)
    image.source = { x, y in
      let (u, v) = (x - dx, y - dy)
      return ((a * u + b * v) / determinant, (a * v - b * u) / determinant)
    }
    return image
  }

  /// For rotations of less than a degree: exact to 1e-9.
  private var cosine: Double { 1 - turn * turn / 2 + turn * turn * turn * turn / 24 }
  private var sine: Double { turn - turn * turn * turn / 6 }

  func error(of motion: CameraMotion) -> Double {
    let (a, b) = (zoom * cosine, zoom * sine)
    let corners = [
      (0, 0), (Double(size.width), 0), (0, Double(size.height)), (Double(size.width), Double(size.height)),
    ]
    return corners.map { x, y in
      let ex = motion.a * x + motion.b * y + motion.dx - (a * x - b * y + dx)
      let ey = motion.c * x + motion.d * y + motion.dy - (b * x + a * y + dy)
      return (ex * ex + ey * ey).squareRoot()
    }.max() ?? .infinity
  }
}

@Suite struct CameraFlowTests {
  static let cases = [
    CameraCase(name: "still"),
    CameraCase(name: "jerk", dx: -21.5, dy: 12),
    CameraCase(name: "zoom", zoom: 1.015, dx: -4, dy: -3),
    CameraCase(name: "zoom out and turn", zoom: 0.985, turn: -0.01, dx: 6, dy: 1),
    CameraCase(
      name: "half size", zoom: 1.005, turn: 0.003, dx: 5, dy: -6, size: PixelSize(width: 700, height: 300)),
  ]

  @Test("A known motion is recovered to a tenth of a pixel at the image's corners", arguments: cases)
  func known(_ test: CameraCase) throws {
    var flow = CameraFlow()
    let motion = try flow.motion(from: SyntheticImage(size: test.size).pyramid, to: test.second.pyramid)
    let found = try #require(motion)
    #expect(test.error(of: found) < test.tolerance, "\(test.error(of: found)) px: \(found)")
  }

  @Test("An object that moves differently has no influence, in a box or as a minority")
  func object() throws {
    let object = BoundingBox(x: 100, y: 50, width: 75, height: 100)
    let test = CameraCase(name: "shift", dx: 3, dy: 2)
    var second = test.second
    let background = second.source
    second.source = { x, y in
      object.minX <= x && x < object.maxX && object.minY <= y && y < object.maxY
        ? (x + 5, y - 4) : background(x, y)
    }
    var flow = CameraFlow()
    let first = try SyntheticImage(size: test.size).pyramid
    let current = try second.pyramid
    for boxes in [[object.expanded(by: 0.1)], []] {
      let found = try #require(try flow.motion(from: first, to: current, outside: boxes))
      #expect(test.error(of: found) < (boxes.isEmpty ? 0.5 : 0.1), "\(found)")
    }
  }

  @Test("Too few corners give nil: a flat image, a tiny one, boxes over everything")
  func tooFew() throws {
    var flow = CameraFlow()
    let image = try SyntheticImage().pyramid
    #expect(try flow.motion(from: SyntheticImage.flat(), to: SyntheticImage.flat()) == nil)
    #expect(try flow.motion(from: image, to: SyntheticImage.flat()) == nil)
    let whole = BoundingBox(x: 0, y: 0, width: 256, height: 192)
    #expect(try flow.motion(from: image, to: image, outside: [whole]) == nil)
    for (width, height) in [(1, 1), (4, 3), (1, 15)] {
      let tiny = try SyntheticImage(size: PixelSize(width: width, height: height)).pyramid
      #expect(try flow.motion(from: tiny, to: tiny) == nil)
    }
    let bad = BoundingBox(minX: .nan, minY: 0, maxX: 10, maxY: 10)
    #expect(try flow.motion(from: image, to: image, outside: [bad]) != nil)
  }

  @Test("Images that show different things give nil or a motion, and never a trap")
  func unrelated() throws {
    var flow = CameraFlow()
    var noise = SyntheticImage()
    (noise.gain, noise.offset, noise.noise) = (0, 128, 120)
    var other = noise
    other.seed = 2
    #expect(try flow.motion(from: noise.pyramid, to: other.pyramid) == nil)
  }

  @Test("The same images give the same motion, after any other call")
  func repeated() throws {
    var (flow, fresh) = (CameraFlow(), CameraFlow())
    let (first, second) = (try SyntheticImage().pyramid, try SyntheticImage(4, 1).pyramid)
    let motion = try flow.motion(from: first, to: second)
    _ = try flow.motion(from: second, to: first)
    #expect(try flow.motion(from: first, to: second) == motion)
    #expect(try fresh.motion(from: first, to: second) == motion)
    #expect(motion != nil)
  }

  @Test("Images of different sizes are an error")
  func sizes() throws {
    var flow = CameraFlow()
    let narrow = try SyntheticImage(size: PixelSize(width: 100, height: 50)).pyramid
    let error = #expect(throws: FlowError.self) {
      _ = try flow.motion(from: SyntheticImage().pyramid, to: narrow)
    }
    #expect(error?.code == .sizeMismatch)
  }
}
