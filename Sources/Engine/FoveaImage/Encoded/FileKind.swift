// SPDX-License-Identifier: Apache-2.0

/// The kind of a file, recognised by its first bytes and not by its name.
enum FileKind: Equatable {
  case image(ImageFormat)
  /// Another known kind of file.
  case other(ForeignFile)
  case unknown

  /// The number of bytes that are enough to recognise a file.
  static let prefixLength = 512

  init(prefix: [UInt8]) {
    let reader = ByteReader(prefix)
    if let format = Self.format(reader) {
      self = .image(format)
    } else if let file = ForeignFile(reader) {
      self = .other(file)
    } else {
      self = .unknown
    }
  }

  /// **Source:** the signatures in each format's specification.
  private static func format(_ reader: ByteReader) -> ImageFormat? {
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool { reader.matches(text, at: offset) }
    if reader.uint16BE(at: 0) == 0xffd8, reader.byte(at: 2) == 0xff { return .jpeg }
    if reader.uint32BE(at: 0) == 0x8950_4e47, reader.uint32BE(at: 4) == 0x0d0a_1a0a { return .png }
    if starts("RIFF"), starts("WEBP", at: 8) { return .webp }
    if starts("GIF87a") || starts("GIF89a") { return .gif }
    if starts("BM"), reader.uint32LE(at: 14).map({ (12...124).contains($0) }) == true { return .bmp }
    if isBareBitmap(reader) { return .bmp }
    if starts("II"), let magic = reader.uint16LE(at: 2), magic == 42 || magic == 43 {
      return starts("CR", at: 8) ? nil : .tiff
    }
    if starts("MM"), let magic = reader.uint16BE(at: 2), magic == 42 || magic == 43 { return .tiff }
    return starts("ftyp", at: 4) ? heifFormat(reader) : nil
  }

  /// Returns whether a file is a BMP without its file header, as the clipboard of Windows has it (CF_DIB).
  ///
  /// It has no signature: the length of a known bitmap header, one plane, and a depth and a compression that
  /// exist.
  private static func isBareBitmap(_ reader: ByteReader) -> Bool {
    switch reader.uint32LE(at: 0) {
    case 12:
      return reader.uint16LE(at: 8) == 1 && [1, 4, 8, 24].contains(reader.uint16LE(at: 10))
    case 40, 52, 56, 64, 108, 124:
      return reader.uint16LE(at: 12) == 1 && [1, 4, 8, 16, 24, 32].contains(reader.uint16LE(at: 14))
        && reader.uint32LE(at: 16).map { $0 <= 6 } == true
    default: return false
    }
  }

  /// Returns the image format of a file in the ISO base media format, by its brands.
  ///
  /// The major brand comes first, then the compatible brands. Phones write `heic`; `mif1` by itself only
  /// means that there is an image.
  ///
  /// **Source:** ISO/IEC 23008-12, annex B and F.4; AV1 Image File Format, section 6.
  private static func heifFormat(_ reader: ByteReader) -> ImageFormat? {
    let length = min(reader.uint32BE(at: 0) ?? 0, reader.count)
    var isImage = false
    for offset in [8] + stride(from: 16, to: max(length - 3, 16), by: 4) {
      for brand: StaticString in ["avif", "avis"] where reader.matches(brand, at: offset) { return .avif }
      for brand: StaticString in ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
      where reader.matches(brand, at: offset) { return .heic }
      if reader.matches("mif1", at: offset) || reader.matches("msf1", at: offset) { isImage = true }
      // Videos and raw photos have their own major brand, and may list an embedded image as compatible.
      if offset == 8, !isImage { return nil }
    }
    return isImage ? .heic : nil
  }
}

extension FileKind {
  /// Returns the allowed formats for messages: "JPEG, PNG or WebP".
  private static func readable(_ limits: ImageLimits) -> String {
    let taken = ImageFormat.allCases.filter(limits.formats.contains).map(\.description)
    guard let last = taken.last, taken.count > 1 else { return taken.first ?? "known" }
    return taken.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Returns the error for an image of a format that ``ImageLimits/formats`` excludes.
  static func formatOffError(_ format: ImageFormat, _ limits: ImageLimits, name: String) -> ImageError {
    ImageError(
      .formatOff, "the file is a \(format) image, which is not allowed here",
      remedy: limits.formats.isEmpty ? "Allow its format" : "Convert it to \(readable(limits))", subject: name
    )
  }

  /// Returns the error for a file whose format Fovea does not read.
  func unknownFormatError(name: String, _ limits: ImageLimits) -> ImageError {
    switch self {
    case .other(let file):
      ImageError(
        .unknownFormat,
        "the file is \(file.what)"
          + (file.isImage ? ", which Fovea does not read" : ", not an image"),
        remedy: file.remedy ?? "Give a \(Self.readable(limits)) image", subject: name)
    case .image, .unknown:
      ImageError(
        .unknownFormat, "the file is not a \(Self.readable(limits)) image",
        remedy: "Give an image in one of these formats", subject: name)
    }
  }
}
