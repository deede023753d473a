// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaFlow

/// A room of 128 × 128 pixels, which are 16 × 16 cells, ten times a second.
@Suite struct MotionGateTests {
  private static let side = 128
  private static let walls = (0..<side * side).map { 60 + $0 % side / 4 + $0 / side / 2 % 7 }

  /// The room with some grey levels added to each pixel.
  private static func room(_ change: (_ x: Int, _ y: Int) -> Int = { _, _ in 0 }) throws -> GreyPyramid {
    let bytes = walls.indices.map { UInt8(walls[$0] + change($0 % side, $0 / side)) }
    return try GreyPyramid(
      PixelBuffer(PixelLayout(.grey, size: PixelSize(width: side, height: side)), bytes: bytes))
  }

  /// The room with a box, brighter than the walls.
  private static func room(boxAt left: Int, width: Int = 16, height: Int = 40, light: Int = 40) throws
    -> GreyPyramid
  {
    try room { x, y in
      (left..<left + width).contains(x) && (40..<40 + height).contains(y) ? light : 0
    }
  }

  /// The decisions as text: `#` for motion, `.` for none.
  private static func decisions(
    _ images: [GreyPyramid], elapsed: Double = 0.1, gate: MotionGate = MotionGate()
  ) -> String {
    var gate = gate
    return String(images.map { gate.update($0, elapsed: elapsed) ? "#" : "." })
  }

  struct Scene: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expected: String
    /// The image of a frame, from 0.
    let image: @Sendable (Int) throws -> GreyPyramid
  }

  static let scenes = [
    Scene(testDescription: "noise", expected: "#...........") { number in
      var generator = SeededGenerator(seed: UInt64(number))
      return try room { _, _ in generator.below(13) - 6 }
    },
    Scene(testDescription: "a drift of the exposure", expected: "#...........") { number in
      try room { _, _ in number }
    },
    Scene(testDescription: "flicker", expected: "#...........") { number in
      try room { _, _ in number % 2 * 2 - 1 }
    },
    Scene(testDescription: "a walker", expected: "#.########...") { number in
      try room(boxAt: number < 2 ? -side : 16 * number - 32)
    },
    Scene(testDescription: "a lamp goes on", expected: "#..#..") { number in
      try room { x, _ in number < 3 ? 0 : x }
    },
    Scene(testDescription: "a spot of 6 pixels", expected: "#...") { number in
      try room(boxAt: number < 2 ? -side : 50, width: 6, height: 6)
    },
    Scene(testDescription: "a faint box", expected: "#...") { number in
      try room(boxAt: number < 2 ? -side : 50, light: 4)
    },
  ]

  @Test(arguments: scenes)
  func `only what moves is motion`(_ scene: Scene) throws {
    #expect(try Self.decisions((0..<scene.expected.count).map(scene.image)) == scene.expected)
  }

  @Test(
    arguments: [
      (0, "#.####"), (-1, "#.####"), (.nan, "#.####"), (-.infinity, "#.####"), (100, "#.#..."),
      (.infinity, "#.#..."),
    ] as [(Double, String)])
  func `the background follows the time, which a wrong clock stops`(_ elapsed: Double, _ expected: String)
    throws
  {
    let (empty, box) = (try Self.room(), try Self.room(boxAt: 50))
    #expect(Self.decisions([empty, empty, box, box, box, box], elapsed: elapsed) == expected)
  }

  @Test func `motion in a mask does not count`() throws {
    let images = [try Self.room(), try Self.room(), try Self.room(boxAt: 50)]
    #expect(Self.decisions(images, gate: MotionGate { $0.x > 40 && $0.x < 80 }) == "#..")
    #expect(Self.decisions(images, gate: MotionGate { $0.x > 80 }) == "#.#")
    #expect(Self.decisions(images, gate: MotionGate { _ in true }) == "#..")
  }

  @Test(arguments: [(1, 1), (2, 1), (1, 40), (16, 16)])
  func `a tiny image is only new`(_ width: Int, _ height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let image = try SyntheticImage.flat(60, size: size)
    #expect(Self.decisions([image, image]) == "#.")
  }

  @Test func `another size starts again, and nothing is known of an empty image`() throws {
    let size = PixelSize(width: 96, height: 64)
    let (wide, narrow) = (try Self.room(), try SyntheticImage.flat(60, size: size))
    #expect(Self.decisions([wide, wide, narrow, narrow, wide, wide, GreyPyramid()]) == "#.#.#.#")
  }

  @Test(arguments: [
    (640, 128, 80), (320, 128, 40), (100, 20, 100), (768, 256, 96), (1_280, 256, 80), (962, 128, 121),
  ])
  func `cells have 8 pixels, and images have at least 80 of them above 640 pixels`(
    _ width: Int, _ height: Int, _ columns: Int
  ) throws {
    let image = try SyntheticImage.flat(size: PixelSize(width: width, height: height))
    #expect(image.levels[MotionGate.levelIndex(of: image)].width == columns)
  }

  @Test func `the least difference is smaller in video range`() throws {
    var gates = [MotionGate(), MotionGate()]
    let formats = [PixelFormat.i420(YUVEncoding(range: .full)), .i420(YUVEncoding(range: .video))]
    let size = PixelSize(width: 128, height: 128)
    for (step, expected) in [(0, [true, true]), (1, [false, false]), (2, [false, true])] {
      for (index, format) in formats.enumerated() {
        let layout = try PixelLayout(format, size: size)
        var bytes = [UInt8](repeating: 100, count: layout.planeByteCounts.reduce(0, +))
        if step == 2 { for pixel in 0..<4_096 { bytes[pixel] += 4 } }
        // The usual difference is small by then.
        let image = try GreyPyramid(PixelBuffer(layout, bytes: bytes))
        for _ in 0..<(step == 1 ? 60 : 1) {
          let hasMotion = gates[index].update(image, elapsed: 0.1)
          #expect(hasMotion == expected[index])
        }
      }
    }
  }
}
