// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaFlow

/// The sums of a window compared with plain arithmetic.
@Suite struct WindowTests {
  /// A pyramid of noise or extremes.
  static func pyramid(seed: UInt64, extreme: Bool) throws -> (GreyPyramid, [UInt8]) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<40 * 40).map { _ in UInt8(extreme ? 255 * generator.below(2) : generator.below(256)) }
    let layout = try PixelLayout(.grey, size: PixelSize(width: 40, height: 40))
    return (try GreyPyramid(PixelBuffer(layout, bytes: bytes)), bytes)
  }

  @Test(
    "Products and correlations equal plain sums", arguments: [(1, false), (2, false), (3, true), (4, true)])
  func sums(seed: Int, extreme: Bool) throws {
    let (pyramid, bytes) = try Self.pyramid(seed: UInt64(seed), extreme: extreme)
    for (x, y) in [(0, 0), (20, 20), (39, 3), (11, 39)] {
      func pixel(_ dx: Int, _ dy: Int) -> Double {
        Double(bytes[min(max(y + dy, 0), 39) * 40 + min(max(x + dx, 0), 39)])
      }
      let places = (-7...7).flatMap { dy in (-7...7).map { dx in (dx, dy) } }
      func centered(_ values: [Double]) -> [Double] {
        let mean = (values.reduce(0, +) / Double(values.count)).rounded()
        return values.map { $0 - mean }
      }
      let gx = centered(
        places.map { dx, dy in
          3 * (pixel(dx + 1, dy - 1) - pixel(dx - 1, dy - 1)) + 10 * (pixel(dx + 1, dy) - pixel(dx - 1, dy))
            + 3 * (pixel(dx + 1, dy + 1) - pixel(dx - 1, dy + 1))
        })
      let gy = centered(
        places.map { dx, dy in
          3 * (pixel(dx - 1, dy + 1) - pixel(dx - 1, dy - 1)) + 10 * (pixel(dx, dy + 1) - pixel(dx, dy - 1))
            + 3 * (pixel(dx + 1, dy + 1) - pixel(dx + 1, dy - 1))
        })
      func sum(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
      unsafe PyramidPair.with(pyramid, pyramid) { pair in
        let view = unsafe GreyView(pair.levels[0], pair.first)
        var window = unsafe Window(gradient: pair.gradient)
        unsafe window.take(view, x, y)
        #expect([window.xx, window.xy, window.yy] == [sum(gx, gx), sum(gx, gy), sum(gy, gy)])
        let here = places.map { pixel($0.0, $0.1) }
        #expect([window.template.x, window.template.y] == [sum(gx, here), sum(gy, here)])
        let found = unsafe window.correlation(view, x, y)
        for (lane, (right, below)) in [(0, 0), (1, 0), (0, 1), (1, 1)].enumerated() {
          let moved = places.map { pixel($0.0 + right, $0.1 + below) }
          #expect([found.x[lane], found.y[lane]] == [sum(gx, moved), sum(gy, moved)])
        }
      }
    }
  }

  @Test("A window that is flat, or changes in one direction only, has no texture")
  func texture() throws {
    let size = PixelSize(width: 40, height: 40)
    for (name, value) in [
      ("flat", { _, _ in 77 }), ("columns", { x, _ in x * 6 }), ("stripes", { x, _ in x % 4 < 2 ? 0 : 255 }),
      ("diagonal", { x, y in (x + y) * 3 }),
    ] as [(String, (Int, Int) -> Int)] {
      let bytes = (0..<40).flatMap { y in (0..<40).map { x in UInt8(value(x, y)) } }
      let pyramid = try GreyPyramid(PixelBuffer(PixelLayout(.grey, size: size), bytes: bytes))
      unsafe PyramidPair.with(pyramid, pyramid) { pair in
        var window = unsafe Window(gradient: pair.gradient)
        unsafe window.take(GreyView(pair.levels[0], pair.first), 20, 20)
        #expect(window.texture < LucasKanade.leastTexture, "\(name): \(window.texture)")
      }
    }
  }
}
