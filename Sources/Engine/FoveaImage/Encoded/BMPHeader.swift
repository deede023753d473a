// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The header of a BMP: the file header, one of seven generations of bitmap headers, and the palette.
///
/// A bitmap of the clipboard (CF_DIB, `.dib`) has no file header; its pixels follow the palette.
///
/// **Source:** Microsoft, "Bitmap Storage" (BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPINFOHEADER, V4, V5);
/// the OS/2 2.x bitmap header of 64 bytes.
struct BMPHeader {
  enum Coding: Equatable {
    case plain
    case rle4
    case rle8
    case bitfields
  }

  let size: PixelSize
  /// Whether the first row of the file is the top one.
  let isTopDown: Bool
  let bitsPerPixel: Int
  let coding: Coding
  /// The masks of red, green, blue and alpha, for `bitfields`.
  let masks: [Int]
  /// The palette, four bytes per colour: blue, green, red, 0.
  let palette: [UInt8]
  /// The offset of the pixels.
  let pixelOffset: Int

  init(_ bytes: [UInt8], name: String) throws(ImageError) {
    // Without a file header, the file begins with the length of the bitmap header.
    let start = bytes.starts(with: [0x42, 0x4d]) ? 14 : 0
    let reader = ByteReader(bytes, from: start, count: bytes.count)
    func number(_ value: Int?) throws(ImageError) -> Int {
      guard let value else { throw .truncated(name, .bmp, byteCount: bytes.count) }
      return value
    }
    let length = try number(reader.uint32LE(at: 0))
    let isCore = length == 12
    let width = try number(isCore ? reader.uint16LE(at: 4) : reader.int32LE(at: 4))
    let height = try number(isCore ? reader.uint16LE(at: 6) : reader.int32LE(at: 8))
    // Negated by hand: a height of -2³¹ cannot be negated in 32 bits, and exceeds every limit here.
    size = PixelSize(width: width, height: height < 0 ? -height : height)
    isTopDown = height < 0
    guard width > 0, height != 0 else { throw .corrupt(name, .bmp, "the size is \(width) × \(height)") }
    let depth = try number(reader.uint16LE(at: isCore ? 10 : 14))
    let compression = isCore || length < 20 ? 0 : try number(reader.uint32LE(at: 16))
    bitsPerPixel = depth
    coding = try Self.coding(compression, depth, length, name: name)
    var masks = [0, 0, 0, 0]
    // The masks follow a header of 40 bytes and are part of longer ones.
    let maskCount = compression == 6 || length >= 56 ? 4 : 3
    if coding == .bitfields {
      for index in 0..<maskCount { masks[index] = try number(reader.uint32LE(at: 40 + index * 4)) }
    }
    self.masks = masks
    let paletteStart = length + (coding == .bitfields && length == 40 ? maskCount * 4 : 0)
    let pixels = start == 0 ? 0 : try number(ByteReader(bytes).uint32LE(at: 10)) - start
    let entry = isCore ? 3 : 4
    let stated = isCore || length < 36 ? 0 : try number(reader.uint32LE(at: 32))
    var palette: [UInt8] = []
    if depth <= 8 {
      // Ignore entries beyond the colours that a pixel can have, or overlapping the pixels.
      let room = pixels > paletteStart ? (pixels - paletteStart) / entry : 1 << depth
      let count = min(stated == 0 ? 1 << depth : stated, 1 << depth, room)
      palette.reserveCapacity(count * 4)
      for index in 0..<count {
        let colour = try number(reader.uint24LE(at: paletteStart + index * entry))
        palette += [UInt8(colour & 0xff), UInt8(colour >> 8 & 0xff), UInt8(colour >> 16), 0]
      }
    }
    self.palette = palette
    // An offset into the header is a writer's mistake; the pixels then follow the palette.
    // Pixels without a palette may have colours before them too, as hints for the screen.
    let colours = depth <= 8 ? palette.count / 4 : stated
    pixelOffset = start + (pixels >= length ? pixels : paletteStart + colours * entry)
  }

  private static func coding(
    _ compression: Int, _ depth: Int, _ length: Int, name: String
  ) throws(ImageError) -> Coding {
    switch compression {
    case 0 where [1, 4, 8, 16, 24, 32].contains(depth): return .plain
    case 1 where depth == 8: return .rle8
    case 2 where depth == 4: return .rle4
    case 3 where (depth == 16 || depth == 32) && length != 64: return .bitfields
    case 6 where depth == 16 || depth == 32: return .bitfields
    case 4 where length != 64: throw .unsupported(name, "the BMP holds a JPEG")
    case 5: throw .unsupported(name, "the BMP holds a PNG")
    case 0...6, 11...13:
      throw .unsupported(
        name, "the BMP has \(depth) bits a pixel with compression \(compression), which Fovea does not read")
    default: throw .corrupt(name, .bmp, "an unknown compression (\(compression))")
    }
  }

  /// The number of bytes in a row, up to its last pixel and padded to a multiple of four.
  var rowBytes: (used: Int, stored: Int) {
    let bits = size.width * bitsPerPixel
    return ((bits + 7) / 8, (bits + 31) / 32 * 4)
  }
}
