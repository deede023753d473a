// SPDX-License-Identifier: Apache-2.0

import CPNG
package import FoveaGeometry

/// PASCAL VOC's colours of class numbers.
package enum VOCPalette {
  /// The colours for the numbers 0…255, three bytes each: red, green, blue.
  ///
  /// Each bit of a number sets a bit of a channel: the lowest three set the highest of red, green and blue,
  /// and so on, so that near numbers have different colours.
  ///
  /// **Source:** VOC development kit, `VOClabelcolormap.m`.
  package static let colors: [UInt8] = (0..<256).flatMap { number in
    var color: [UInt8] = [0, 0, 0]
    for bit in 0..<8 {
      for channel in 0..<3 { color[channel] |= UInt8(number >> (3 * bit + channel) & 1) << UInt8(7 - bit) }
    }
    return color
  }

  /// Returns the colours with the opacity of each, four bytes each: red, green, blue, opacity.
  fileprivate static func colors(withOpacities opacities: [UInt8]) -> [UInt8] {
    opacities.indices.flatMap { number in
      Array(colors[(number * 3)..<(number * 3 + 3)]) + [opacities[number]]
    }
  }
}

/// Images of class numbers.
package enum ClassImage {
  /// Encodes class numbers as a PNG whose pixels are the numbers, with VOC's colours.
  /// - Parameters:
  ///   - classes: A number for each pixel, row by row from the top left.
  ///   - size: The size of the image.
  ///   - opacities: The opacity of the colour of each number 0…255; nil, the default, makes all opaque.
  /// - Returns: The contents of a PNG file with a palette.
  /// - Throws: `ImageError` if memory is exhausted, or PNG cannot hold the size.
  /// - Precondition: There is a number for each pixel, at least one pixel, and no or 256 opacities.
  package static func png(
    _ classes: [UInt8], size: PixelSize, opacities: [UInt8]? = nil
  ) throws(ImageError) -> [UInt8] {
    precondition(!classes.isEmpty && classes.count == size.area, "\(classes.count) numbers for \(size)")
    precondition(opacities.map { $0.count == 256 } ?? true, "\(opacities?.count ?? 0) opacities")
    let palette = opacities.map(VOCPalette.colors(withOpacities:)) ?? VOCPalette.colors
    var png = unsafe png_image()
    unsafe png.version = png_uint_32(PNG_IMAGE_VERSION)
    unsafe png.width = png_uint_32(size.width)
    unsafe png.height = png_uint_32(size.height)
    unsafe png.format = png_uint_32(PNG_FORMAT_FLAG_COLOR) | png_uint_32(PNG_FORMAT_FLAG_COLORMAP)
    if opacities != nil { unsafe png.format |= png_uint_32(PNG_FORMAT_FLAG_ALPHA) }
    unsafe png.colormap_entries = 256
    defer { unsafe png_image_free(&png) }
    // More than the pixels, a byte for each row, and the headers take.
    var count = size.area + size.area / 512 + size.height + (1 << 16)
    for _ in 0..<2 {
      var written = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        var length = png_alloc_size_t(buffer.count)
        let status = unsafe png_image_write_to_memory(
          &png, buffer.baseAddress, &length, 0, classes, png_int_32(size.width), palette)
        written = Int(length)
        filled = status != 0 ? Int(length) : 0
      }
      if !bytes.isEmpty { return bytes }
      // If the buffer is too small, libpng returns the required size.
      guard written > count else { break }
      count = written
    }
    let message = unsafe withUnsafeBytes(of: png.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    throw ImageError(
      .writeFailed, "the class numbers of \(size) pixels could not be encoded as PNG: \(message)",
      remedy: "Use a smaller image", subject: "image")
  }
}
