// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage

/// A picture of plain blocks on black.
struct BlockScene {
  struct Block: Sendable {
    var label: String
    var box: BoundingBox
    var color: (red: UInt8, green: UInt8, blue: UInt8)
  }

  var size: PixelSize
  var blocks: [Block]

  /// The picture as a PNG file.
  func png() throws -> [UInt8] {
    let canvas = PixelCanvas(size: size)
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for block in blocks {
        for y in Int(block.box.minY)..<Int(block.box.maxY) {
          for x in Int(block.box.minX)..<Int(block.box.maxX) {
            let pixel = y * canvas.bytesPerRow + x * 4
            unsafe bytes[pixel] = block.color.blue
            unsafe bytes[pixel + 1] = block.color.green
            unsafe bytes[pixel + 2] = block.color.red
          }
        }
      }
    }
    return try canvas.encoded(as: .png)
  }
}

/// A folder for models and labels that is there while a test runs.
struct ModelTestFolder: ~Copyable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/fovea-models-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    return path + "/" + name
  }
}
