// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting

/// A textured patch that moves over a textured background, for optical flow.
struct MovingTexture {
  let size = PixelSize(width: 320, height: 240)
  let patch = PixelSize(width: 48, height: 64)
  private let ground: [UInt8]
  private let object: [UInt8]

  init(seed: UInt64 = 1) {
    var random = SeededGenerator(seed: seed)
    ground = Self.smooth(size, &random, from: 60, to: 120)
    object = Self.smooth(patch, &random, from: 100, to: 240)
  }

  /// The position of the patch in a frame, in pixels of the stored image; it finally stays at the far corner.
  func box(_ number: Int) -> BoundingBox {
    let x = min(40 + 2.5 * Double(number), 260).rounded()
    let y = min(50 + 1.5 * Double(number), 165).rounded()
    return BoundingBox(minX: x, minY: y, maxX: x + Double(patch.width), maxY: y + Double(patch.height))
  }

  /// A frame at 30 per second.
  func frame(_ number: Int, orientation: Orientation = .up) throws -> VideoFrame {
    let box = box(number)
    var bytes = ground
    for row in 0..<patch.height {
      let start = (Int(box.minY) + row) * size.width + Int(box.minX)
      bytes.replaceSubrange(
        start..<start + patch.width, with: object[row * patch.width..<(row + 1) * patch.width])
    }
    return VideoFrame(
      pixels: try PixelBuffer(PixelLayout(.grey, size: size), bytes: bytes, orientation: orientation),
      number: number, seconds: Double(number - 1) / 30)
  }

  /// Noise without edges sharper than a camera's.
  private static func smooth(
    _ size: PixelSize, _ random: inout SeededGenerator, from low: Double, to high: Double
  ) -> [UInt8] {
    let (columns, rows) = (size.width / 6 + 2, size.height / 6 + 2)
    let nodes = (0..<columns * rows).map { _ in random.number(low...high) }
    return (0..<size.area).map { index in
      let (x, y) = (Double(index % size.width) / 6, Double(index / size.width) / 6)
      let (column, row) = (Int(x), Int(y))
      let (right, below) = (x - Double(column), y - Double(row))
      let above = nodes[row * columns + column] * (1 - right) + nodes[row * columns + column + 1] * right
      let under =
        nodes[(row + 1) * columns + column] * (1 - right) + nodes[(row + 1) * columns + column + 1] * right
      return UInt8(above * (1 - below) + under * below)
    }
  }
}
