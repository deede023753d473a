// SPDX-License-Identifier: Apache-2.0

/// What the first bytes of a file say it is, whatever its name says.
enum FileKind: Equatable {
  case image(ImageFormat)
  /// Something that has a name, with its article: "a GIF image".
  case other(String, isImage: Bool)
  case unknown

  /// How many bytes are enough to tell.
  static let prefixLength = 512

  init(prefix: [UInt8]) {
    let reader = ByteReader(prefix)
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool { reader.matches(text, at: offset) }
    if reader.uint16BE(at: 0) == 0xffd8, reader.byte(at: 2) == 0xff {
      self = .image(.jpeg)
    } else if reader.uint32BE(at: 0) == 0x8950_4e47, reader.uint32BE(at: 4) == 0x0d0a_1a0a {
      self = .image(.png)
    } else if starts("RIFF"), starts("WEBP", at: 8) {
      self = .image(.webp)
    } else if let name = Self.imageName(reader) {
      self = .other(name, isImage: true)
    } else if let name = Self.otherName(reader) {
      self = .other(name, isImage: false)
    } else {
      self = .unknown
    }
  }

  /// **Source:** the signatures that each format's own specification gives.
  private static func imageName(_ reader: ByteReader) -> String? {
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool { reader.matches(text, at: offset) }
    if starts("GIF8") { return "a GIF image" }
    if starts("BM"), reader.uint32LE(at: 14).map({ (12...124).contains($0) }) == true { return "a BMP image" }
    if starts("II"), let magic = reader.uint16LE(at: 2), magic == 42 || magic == 43 { return "a TIFF image" }
    if starts("MM"), let magic = reader.uint16BE(at: 2), magic == 42 || magic == 43 { return "a TIFF image" }
    if starts("ftyp", at: 4) {
      if starts("avif", at: 8) || starts("avis", at: 8) { return "an AVIF image" }
      for brand: StaticString in ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"]
      where starts(brand, at: 8) {
        return "a HEIC image"
      }
    }
    if reader.uint32BE(at: 0) == 0x0000_000c, starts("jP  ", at: 4) { return "a JPEG 2000 image" }
    if reader.uint16BE(at: 0) == 0xff0a || (reader.uint32BE(at: 0) == 0x0000_000c && starts("JXL ", at: 4)) {
      return "a JPEG XL image"
    }
    if reader.uint32BE(at: 0) == 0x0000_0100 { return "an ICO image" }
    if starts("8BPS") { return "a Photoshop document" }
    if starts("qoif") { return "a QOI image" }
    if starts("<svg") { return "an SVG drawing" }
    return nil
  }

  private static func otherName(_ reader: ByteReader) -> String? {
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool { reader.matches(text, at: offset) }
    if starts("TFL3", at: 4) { return "a TFLite model" }
    if starts("%PDF-") { return "a PDF document" }
    if starts("PK\u{3}\u{4}") { return "a ZIP archive" }
    if reader.uint16BE(at: 0) == 0x1f8b { return "a gzip file" }
    if starts("\u{7f}ELF") { return "a program" }
    if starts("ftyp", at: 4) { return "a video (MP4 or QuickTime)" }
    if starts("RIFF"), starts("AVI ", at: 8) { return "a video (AVI)" }
    if reader.uint32BE(at: 0) == 0x1a45_dfa3 { return "a video (Matroska or WebM)" }
    if starts("<!DOCTYPE") || starts("<html") || starts("<?xml") { return "an HTML or XML page" }
    return reader.looksLikeText ? "text" : nil
  }
}

extension FileKind {
  /// The error for a file that is none of the formats that Fovea reads.
  func unknownFormatError(name: String) -> ImageError {
    switch self {
    case .other(let what, isImage: true):
      ImageError(
        code: .unknownFormat, message: "the file is \(what), which Fovea cannot read yet",
        remedy: "Convert it to JPEG, PNG or WebP", imageName: name)
    case .other(let what, isImage: false):
      ImageError(
        code: .unknownFormat, message: "the file is \(what), not a picture",
        remedy: "Give a JPEG, PNG or WebP picture", imageName: name)
    case .image, .unknown:
      ImageError(
        code: .unknownFormat, message: "the file is no JPEG, PNG or WebP picture",
        remedy: "Give a JPEG, PNG or WebP picture", imageName: name)
    }
  }
}
