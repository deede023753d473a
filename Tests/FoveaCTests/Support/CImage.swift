// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea

/// An image as described by a test, with the memory that a `fovea_image` points to.
struct CImage {
  var kind: Int32
  var bytes: [UInt8]
  var width: Int32 = 0
  var height: Int32 = 0
  var stride: Int64 = 0
  var orientation: Int32 = 0
  var name: String?
  var region: (Double, Double, Double, Double) = (0, 0, 0, 0)
  /// The offset of the first row in `bytes`.
  var start = 0
  /// The value of `length`, if it differs from the number of bytes.
  var length: Int?
  /// The value of `size`, if it differs from the size of the struct.
  var size: UInt32?

  static func file(_ path: String) -> CImage { CImage(kind: 1, bytes: Array(path.utf8) + [0], length: 0) }
  static func encoded(_ bytes: [UInt8]) -> CImage { CImage(kind: 2, bytes: bytes) }

  /// Calls `body` with an array of structs in C's memory.
  static func with<R>(_ images: [CImage], _ body: (UnsafePointer<fovea_image>?, Int) throws -> R) rethrows
    -> R
  {
    let blocks = images.map { image in
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(image.bytes.count, 1), alignment: 16)
      block.copyBytes(from: image.bytes)
      return block
    }
    let names = images.map { image in image.name.map { Array($0.utf8CString) } ?? [] }
    defer { blocks.forEach { $0.deallocate() } }
    var structs: [fovea_image] = []
    var texts: [UnsafeMutablePointer<CChar>?] = []
    defer { texts.forEach { $0?.deallocate() } }
    for (index, image) in images.enumerated() {
      var text: UnsafeMutablePointer<CChar>?
      if !names[index].isEmpty {
        text = .allocate(capacity: names[index].count)
        text?.initialize(from: names[index], count: names[index].count)
      }
      texts.append(text)
      var c = fovea_image()
      c.size = image.size ?? UInt32(MemoryLayout<fovea_image>.size)
      c.kind = image.kind
      c.data = UnsafeRawPointer(blocks[index].baseAddress.map { $0 + image.start })
      c.length = image.length ?? image.bytes.count
      c.width = image.width
      c.height = image.height
      c.stride = image.stride
      c.orientation = image.orientation
      c.name = UnsafePointer(text)
      c.region = image.region
      structs.append(c)
    }
    return try structs.withUnsafeBufferPointer { try body($0.baseAddress, images.count) }
  }
}
