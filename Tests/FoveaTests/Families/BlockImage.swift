// SPDX-License-Identifier: Apache-2.0

import Fovea

/// An image for the models of Tests/Fixtures/models: a red and a blue block on grey.
enum BlockImage {
  static let size = PixelSize(width: 320, height: 160)
  static let red = BoundingBox(x: 40, y: 16, width: 80, height: 64)
  static let blue = BoundingBox(x: 208, y: 48, width: 48, height: 96)
  static let classes = ["red", "green", "blue"]

  /// The upright scene, stored so that `orientation` makes it upright.
  static func canvas(_ orientation: Orientation = .up) -> PixelCanvas {
    let stored = orientation.uprightSize(ofStored: size)
    let canvas = PixelCanvas(size: stored)
    // SAFETY: rows and columns are those of the canvas, four bytes per pixel.
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for y in 0..<stored.height {
        for x in 0..<stored.width {
          let pixel = orientation.uprightBox(
            fromStored: BoundingBox(x: Double(x), y: Double(y), width: 1, height: 1), stored: stored)
          let (red, blue) = (contains(Self.red, pixel), contains(Self.blue, pixel))
          let offset = y * canvas.bytesPerRow + x * 4
          unsafe bytes[offset] = blue ? 255 : red ? 0 : 90
          unsafe bytes[offset + 1] = blue || red ? 0 : 90
          unsafe bytes[offset + 2] = red ? 255 : blue ? 0 : 90
        }
      }
    }
    return canvas
  }

  /// A JPEG with the orientation in its EXIF block.
  static func jpeg(_ orientation: Orientation = .up) throws -> ImageInput {
    let bytes = try canvas(orientation).encoded(as: .jpeg, quality: 95)
    // TIFF, big-endian: one directory with one entry, tag 274 of type SHORT.
    let tiff: [UInt8] =
      [
        0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.exifValue), 0,
        0,
      ]
      + [0, 0, 0, 0]
    let block: [UInt8] = Array("Exif".utf8) + [0, 0] + tiff
    let length = [UInt8((block.count + 2) >> 8), UInt8((block.count + 2) & 255)]
    return .data(bytes[..<2] + [0xff, 0xe1] + length + block + bytes[2...], name: "\(orientation.name).jpg")
  }

  static func png() throws -> ImageInput { .data(try canvas().encoded(as: .png), name: "blocks.png") }

  private static func contains(_ box: BoundingBox, _ pixel: BoundingBox) -> Bool {
    pixel.midX > box.minX && pixel.midX < box.maxX && pixel.midY > box.minY && pixel.midY < box.maxY
  }
}
