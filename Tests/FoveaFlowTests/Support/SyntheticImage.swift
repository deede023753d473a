// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaFlow
import FoveaGeometry
import FoveaImage
import FoveaTesting

/// An image that is known at each position, so that it can be moved by any fraction of a pixel.
struct SyntheticImage {
  var size = PixelSize(width: 256, height: 192)
  /// The texture position displayed at an image position.
  var source: (Double, Double) -> (Double, Double) = { ($0, $1) }
  /// The factor of the brightness.
  var gain = 1.0
  /// The offset of the brightness.
  var offset = 0.0
  /// The largest noise, in grey levels.
  var noise = 0.0
  var seed: UInt64 = 1

  /// An image whose content is moved by `dx` pixels to the right and `dy` down.
  init(_ dx: Double = 0, _ dy: Double = 0, size: PixelSize = PixelSize(width: 256, height: 192)) {
    self.size = size
    source = { ($0 - dx, $1 - dy) }
  }

  /// Waves of several lengths and directions, the longest with the highest amplitude, as in photos: about 30
  /// to 220.
  static func texture(_ x: Double, _ y: Double) -> Double {
    let slow = sin(0.031 * x + 0.011 * y) + sin(0.029 * y - 0.013 * x + 1)
    let bent = sin(0.083 * x + 1.5 * slow) + sin(0.091 * y - 1.3 * slow)
    return 125 + 22 * slow + 16 * bent + 9 * sin(0.29 * x + 0.17 * y + bent) + 9 * sin(0.31 * y - 0.13 * x)
  }

  var pixels: PixelBuffer {
    get throws {
      var generator = SeededGenerator(seed: seed)
      var bytes = [UInt8](repeating: 0, count: size.area)
      var (x, y) = (0, 0)
      for index in bytes.indices {
        let (u, v) = source(Double(x) + 0.5, Double(y) + 0.5)
        var value = Self.texture(u, v) * gain + offset
        if noise > 0 { value += generator.number(-noise...noise) }
        bytes[index] = UInt8(min(max(value.rounded(), 0), 255))
        x += 1
        if x == size.width { (x, y) = (0, y + 1) }
      }
      return try PixelBuffer(PixelLayout(.grey, size: size), bytes: bytes)
    }
  }

  var pyramid: GreyPyramid { get throws { try GreyPyramid(pixels) } }

  /// An image of one grey level.
  static func flat(_ level: UInt8 = 128, size: PixelSize = PixelSize(width: 256, height: 192)) throws
    -> GreyPyramid
  {
    try GreyPyramid(
      PixelBuffer(PixelLayout(.grey, size: size), bytes: [UInt8](repeating: level, count: size.area)))
  }
}
