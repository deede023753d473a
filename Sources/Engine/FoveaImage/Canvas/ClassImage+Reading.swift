// SPDX-License-Identifier: Apache-2.0

extension ClassImage {
  /// Reads the class numbers of a PNG, as datasets and ``png(_:size:)`` write them.
  /// - Parameter image: A PNG with a palette, or with grey pixels of 8 bits. Its orientation is ignored.
  /// - Returns: The index of the palette's colour, or the grey value, of each pixel, row by row from the top
  ///   left.
  /// - Throws: `ImageError` `unsupported` for other images, `truncated`, `corrupt`.
  package static func numbers(in image: EncodedImage) throws(ImageError) -> [UInt8] {
    guard image.format == .png else {
      throw other("the file is a \(image.format) image, but class numbers are read from PNG", image)
    }
    // The depth and the colour type of IHDR.
    let header = ByteReader(image.bytes)
    guard let depth = header.byte(at: 24), let type = header.byte(at: 25) else {
      throw .truncated(image.name, .png, byteCount: image.byteCount)
    }
    switch (type, depth) {
    case (3, _), (0, 8): return try PNGDecoding(image).samples()
    case (0, _): throw other("the PNG has grey pixels of \(bits(depth)), not class numbers of 8 bits", image)
    case (2, _): throw other("the PNG has colours (RGB), not class numbers", image)
    case (4, _): throw other("the PNG has grey pixels with alpha, not class numbers", image)
    case (6, _): throw other("the PNG has colours with alpha (RGBA), not class numbers", image)
    default: throw .corrupt(image.name, .png, "the colour type is \(type)")
    }
  }

  /// Returns whether an image is a PNG with a palette of 256 colours, as ``png(_:size:)`` writes it.
  package static func hasPalette(_ image: EncodedImage) -> Bool {
    let header = ByteReader(image.bytes)
    return image.format == .png && header.byte(at: 24) == 8 && header.byte(at: 25) == 3
  }

  private static func bits(_ depth: UInt8) -> String { depth == 1 ? "1 bit" : "\(depth) bits" }

  private static func other(_ message: String, _ image: EncodedImage) -> ImageError {
    ImageError(
      .unsupported, message,
      remedy: "Save one class number per pixel as a PNG with a palette, or as grey with 8 bits; 255 is void",
      subject: image.name)
  }
}
