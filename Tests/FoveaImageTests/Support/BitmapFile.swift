// SPDX-License-Identifier: Apache-2.0

/// BMP files written by hand: the four quarters of `Fixture`, 32 × 24 pixels.
struct BitmapFile: Sendable {
  var bitsPerPixel: Int
  var compression = 0
  var isTopDown = false
  var masks: [Int] = []
  /// Blue, green, red, 0 for each colour.
  var palette: [UInt8] = []
  /// Bytes between the palette and the pixels.
  var gap = 0
  /// 12 for OS/2's first header, 40 or more for the others.
  var headerLength = 40
  /// A row of the image whose left half has one quarter's value and whose right half another's.
  var row: @Sendable (_ left: Int, _ right: Int) -> [UInt8]
  var end: [UInt8] = []

  static let quarters: [UInt8] = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]

  static func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  var bytes: [UInt8] {
    let rows = (0..<24).map { $0 < 12 ? row(0, 1) : row(2, 3) }
    let pixels = (isTopDown ? rows : rows.reversed()).flatMap { $0 } + end
    let isCore = headerLength == 12
    let colors =
      isCore ? stride(from: 0, to: palette.count, by: 4).flatMap { palette[$0..<$0 + 3] } : palette
    let maskBytes = masks.flatMap { Self.number($0) }
    let start = 14 + max(headerLength, 40 + (headerLength == 40 ? maskBytes.count : 0)) + colors.count + gap
    let offset = isCore ? 26 + colors.count + gap : start
    var file: [UInt8] =
      [0x42, 0x4d] + Self.number(offset + pixels.count) + Self.number(0) + Self.number(offset)
    file += Self.number(headerLength)
    if isCore {
      file += Self.number(32, 2) + Self.number(24, 2) + Self.number(1, 2) + Self.number(bitsPerPixel, 2)
    } else {
      file += Self.number(32) + Self.number(isTopDown ? -24 : 24) + Self.number(1, 2)
      file += Self.number(bitsPerPixel, 2) + Self.number(compression) + Self.number(pixels.count)
      file += Self.number(2835) + Self.number(2835) + Self.number(palette.count / 4) + Self.number(0)
      file += maskBytes
      if headerLength > 40 { file += [UInt8](repeating: 0, count: 14 + headerLength - file.count) }
    }
    return file + colors + [UInt8](repeating: 0, count: gap) + pixels
  }

  private static func halves(_ left: [UInt8], _ right: [UInt8], _ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in left } + (0..<count).flatMap { _ in right }
  }

  /// A row of numbers of `size` bytes, one for each quarter.
  private static func plain(_ values: [Int], _ size: Int) -> @Sendable (Int, Int) -> [UInt8] {
    { halves(number(values[$0], size), number(values[$1], size), 16) }
  }

  static let all: [(name: String, file: BitmapFile)] = {
    let nibbles: @Sendable (Int, Int) -> [UInt8] = { halves([UInt8($0 * 17)], [UInt8($1 * 17)], 8) }
    let runs8: @Sendable (Int, Int) -> [UInt8] = { [16, UInt8($0), 16, UInt8($1), 0, 0] }
    // A run, then 16 literal pixels.
    let runs4: @Sendable (Int, Int) -> [UInt8] = {
      [16, UInt8($0 * 17), 0, 16] + [UInt8](repeating: UInt8($1 * 17), count: 8) + [0, 0]
    }
    let indexed = plain([0, 1, 2, 3], 1)
    let rgb = plain([0xff0000, 0x00ff00, 0x0000ff, 0xffffff], 3)
    return [
      ("24 bits", BitmapFile(bitsPerPixel: 24, row: rgb)),
      ("24 bits from the top", BitmapFile(bitsPerPixel: 24, isTopDown: true, row: rgb)),
      ("24 bits of OS/2", BitmapFile(bitsPerPixel: 24, headerLength: 12, row: rgb)),
      ("32 bits", BitmapFile(bitsPerPixel: 32, row: plain([0xff0000, 0x00ff00, 0x0000ff, 0xffffff], 4))),
      ("8 bits", BitmapFile(bitsPerPixel: 8, palette: quarters, row: indexed)),
      ("8 bits of OS/2", BitmapFile(bitsPerPixel: 8, palette: quarters, headerLength: 12, row: indexed)),
      ("8 bits behind a gap", BitmapFile(bitsPerPixel: 8, palette: quarters, gap: 100, row: indexed)),
      ("4 bits", BitmapFile(bitsPerPixel: 4, palette: quarters, row: nibbles)),
      ("4 bits from the top", BitmapFile(bitsPerPixel: 4, isTopDown: true, palette: quarters, row: nibbles)),
      ("RLE8", BitmapFile(bitsPerPixel: 8, compression: 1, palette: quarters, row: runs8, end: [0, 1])),
      (
        "RLE8 from the top",
        BitmapFile(
          bitsPerPixel: 8, compression: 1, isTopDown: true, palette: quarters, row: runs8, end: [0, 1])
      ),
      ("RLE4", BitmapFile(bitsPerPixel: 4, compression: 2, palette: quarters, row: runs4, end: [0, 1])),
      (
        "RLE4 from the top",
        BitmapFile(
          bitsPerPixel: 4, compression: 2, isTopDown: true, palette: quarters, row: runs4, end: [0, 1])
      ),
      ("16 bits", BitmapFile(bitsPerPixel: 16, row: plain([0x7c00, 0x03e0, 0x001f, 0x7fff], 2))),
      (
        "bit fields 5, 6, 5",
        BitmapFile(
          bitsPerPixel: 16, compression: 3, masks: [0xf800, 0x07e0, 0x001f],
          row: plain([0xf800, 0x07e0, 0x001f, 0xffff], 2))
      ),
      (
        "bit fields of 10 bits",
        BitmapFile(
          bitsPerPixel: 32, compression: 3, masks: [0x3ff0_0000, 0xffc00, 0x3ff],
          row: plain([0x3ff0_0000, 0xffc00, 0x3ff, 0x3fff_ffff], 4))
      ),
      (
        "bit fields with alpha",
        BitmapFile(
          bitsPerPixel: 32, compression: 3, masks: [0xff00_0000, 0xff_0000, 0xff00, 0xff], headerLength: 108,
          row: plain([0xff00_00ff, 0x00ff_00ff, 0xffff, 0xffff_ffff], 4))
      ),
    ]
  }()
}
