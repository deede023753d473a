// SPDX-License-Identifier: Apache-2.0

import CImages
import FoveaGeometry

/// Decodes a BMP through gdk-pixbuf.
///
/// gdk-pixbuf misreads some of the many BMP headers: it assumes that the pixels follow the palette, and
/// refuses compressed top-down rows. It also accepts truncated files. So it gets the simplest possible
/// header, made from the results of `BMPHeader`, and only complete pixels.
struct BMPDecoding {
  private let image: EncodedImage

  init(_ image: EncodedImage) { self.image = image }

  func decode() throws(ImageError) -> DecodedImage {
    let header = try BMPHeader(image.bytes, name: image.name)
    let available = max(image.byteCount - header.pixelOffset, 0)
    var count = available
    var padding = 0
    if header.isRunLength {
      guard runsAreWhole(header) else { throw .truncated(image.name, .bmp, byteCount: image.byteCount) }
    } else {
      let row = header.rowBytes
      guard available >= row.stored * (header.size.height - 1) + row.used else {
        throw .truncated(image.name, .bmp, byteCount: image.byteCount)
      }
      count = min(available, row.stored * header.size.height)
      // The padding of the last row may be missing.
      padding = row.stored * header.size.height - count
    }
    let plain = header.plainest
    var pixels = unsafe fovea_image_pixels()
    try unsafe ImageLibrary(image).call(image.bytes, from: header.pixelOffset, count: count) { file in
      unsafe plain.withUnsafeBufferPointer { plain in
        guard let base = plain.baseAddress else { return FOVEA_IMAGE_DAMAGED }
        return unsafe fovea_bmp_decode(base, plain.count, file, padding, &pixels)
      }
    }
    let decoded = try unsafe DecodedImage.adopting(pixels, of: image)
    if header.isTopDown && header.isRunLength { unsafe Self.flip(pixels) }
    return decoded
  }

  /// Returns whether the runs reach the end of the image: the end marker, or the last pixel of the last row.
  ///
  /// **Source:** Microsoft, "Bitmap Compression".
  private func runsAreWhole(_ header: BMPHeader) -> Bool {
    let reader = ByteReader(image.bytes, from: header.pixelOffset, count: image.byteCount)
    var offset = 0
    var column = 0
    var row = 0
    while let first = reader.byte(at: offset), let second = reader.byte(at: offset + 1) {
      offset += 2
      switch (first, second) {
      case (0, 0):
        column = 0
        row += 1
      case (0, 1): return true
      case (0, 2):
        column += Int(reader.byte(at: offset) ?? 0)
        row += Int(reader.byte(at: offset + 1) ?? 0)
        offset += 2
      case (0, let count):
        column += Int(count)
        offset += header.coding == .rle8 ? (Int(count) + 1) & ~1 : ((Int(count) + 1) / 2 + 1) & ~1
      case (let count, _): column += Int(count)
      }
      if row >= header.size.height { return true }
    }
    return row == header.size.height - 1 && column >= header.size.width && offset <= reader.count
  }

  private static func flip(_ pixels: fovea_image_pixels) {
    guard let base = unsafe pixels.pixels else { return }
    let stride = unsafe pixels.bytes_per_row
    let height = unsafe Int(pixels.height)
    // The padding of the last row may be missing.
    let count = unsafe Int(pixels.width) * 3
    for row in 0..<height / 2 {
      let upper = unsafe base + row * stride
      let lower = unsafe base + (height - 1 - row) * stride
      for index in 0..<count { unsafe swap(&upper[index], &lower[index]) }
    }
  }
}

extension BMPHeader {
  var isRunLength: Bool { coding == .rle4 || coding == .rle8 }

  /// A file header, a BITMAPINFOHEADER (a BITMAPV4HEADER if there is an alpha mask) and the palette.
  fileprivate var plainest: [UInt8] {
    func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let hasAlpha = masks[3] != 0
    let length = hasAlpha ? 108 : 40
    let compression =
      switch coding {
      case .plain: 0
      case .rle8: 1
      case .rle4: 2
      case .bitfields: 3
      }
    let maskBytes = coding == .bitfields ? (hasAlpha ? masks : Array(masks[..<3])).flatMap { number($0) } : []
    let start = 14 + (hasAlpha ? 108 : 40 + maskBytes.count) + palette.count
    var header: [UInt8] = [0x42, 0x4d] + number(0) + number(0) + number(start)
    header += number(length) + number(size.width)
    header += number(isTopDown && !isRunLength ? -size.height : size.height)
    header +=
      number(1, 2) + number(bitsPerPixel, 2) + number(compression) + number(0) + number(2835) + number(2835)
    header += number(palette.count / 4) + number(0) + maskBytes
    if hasAlpha { header += [UInt8](repeating: 0, count: 108 - 40 - maskBytes.count) }
    return header + palette
  }
}
