// SPDX-License-Identifier: Apache-2.0

/// A file that Fovea does not read, recognised by its first bytes.
struct ForeignFile: Equatable {
  /// The kind of file, with an article: "a PDF document".
  let what: String
  let isImage: Bool
  /// The way to get an image from the file; nil if it contains none.
  let remedy: Advice?

  /// The kind of image as a short name, such as "TGA"; nil if the file is not an image.
  var imageKind: String? {
    guard isImage else { return nil }
    switch what {
    case "a camera's raw photo": return "raw"
    case "a PBM, PGM, PPM or PAM image": return "Netpbm"
    // Drops article and noun: "a JPEG 2000 image".
    default: return what.split(separator: " ").dropFirst().dropLast().joined(separator: " ")
    }
  }

  private init(_ what: String, isImage: Bool, _ remedy: Advice?) {
    self.what = what
    self.isImage = isImage
    self.remedy = remedy
  }

  private static func image(_ what: String, _ command: String) -> ForeignFile {
    ForeignFile(what, isImage: true, "Convert it: \(command)")
  }

  private static func other(_ what: String, _ remedy: Advice? = nil) -> ForeignFile {
    ForeignFile(what, isImage: false, remedy)
  }

  init?(_ reader: ByteReader) {
    guard let file = Self.imageFile(reader) ?? Self.video(reader) ?? Self.document(reader) else { return nil }
    self = file
  }

  /// **Source:** the signatures in each format's specification.
  private static func imageFile(_ reader: ByteReader) -> ForeignFile? {
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool { reader.matches(text, at: offset) }
    let first = reader.uint32BE(at: 0)
    if first == 0x0000_000c && starts("jP  ", at: 4) || first == 0xff4f_ff51 {
      return image("a JPEG 2000 image", "opj_decompress -i FILE -o out.png")
    }
    if reader.uint16BE(at: 0) == 0xff0a || first == 0x0000_000c && starts("JXL ", at: 4) {
      return image("a JPEG XL image", "djxl FILE out.png")
    }
    // The number of images follows, not 0: a TGA file without colour map and origin begins the same way.
    if let first, first == 0x0000_0100 || first == 0x0000_0200, reader.uint16LE(at: 4) != 0 {
      return image(first == 0x0000_0100 ? "an ICO image" : "a CUR image", "magick 'FILE[0]' out.png")
    }
    if starts("8BPS") { return image("a Photoshop document", "magick 'FILE[0]' out.png") }
    if starts("gimp xcf") { return image("a GIMP document", "export it from GIMP as PNG") }
    if starts("qoif") { return image("a QOI image", "magick FILE out.png") }
    if starts("DDS ") { return image("a DDS texture", "magick FILE out.png") }
    if first == 0x762f_3101 { return image("an OpenEXR image", "magick FILE out.png") }
    if starts("#?RADIANCE") { return image("a Radiance HDR image", "magick FILE out.png") }
    if starts("DICM", at: 128) { return image("a DICOM image", "dcm2pnm +on FILE out.png") }
    if starts("ftypcrx", at: 4) || starts("FUJIFILMCCD-RAW") || starts("IIRO") || starts("IIU\u{0}")
      || starts("CR", at: 8) && first == 0x4949_2a00
    {
      return image("a camera's raw photo", "dcraw_emu -T FILE, or export it as JPEG")
    }
    if let kind = reader.byte(at: 1), starts("P"), (0x31...0x37).contains(kind),
      let space = reader.byte(at: 2), [0x09, 0x0a, 0x0d, 0x20].contains(space)
    {
      return image("a PBM, PGM, PPM or PAM image", "magick FILE out.png")
    }
    if reader.contains("<svg"), !reader.contains("<html") {
      return image("an SVG drawing", "rsvg-convert -o out.png FILE")
    }
    return isTarga(reader) ? image("a TGA image", "magick FILE out.png") : nil
  }

  /// Returns whether the first 18 bytes are the header of a TGA file, which has no signature.
  ///
  /// **Source:** Truevision TGA File Format Specification 2.0: colour map type, image type, length and depth
  /// of the map, width and height from byte 12, bits per pixel, bits of alpha.
  private static func isTarga(_ reader: ByteReader) -> Bool {
    guard let map = reader.byte(at: 1), let kind = reader.byte(at: 2), let length = reader.uint16LE(at: 5),
      let depth = reader.byte(at: 7), let width = reader.uint16LE(at: 12),
      let height = reader.uint16LE(at: 14),
      let bits = reader.byte(at: 16), let flags = reader.byte(at: 17)
    else { return false }
    let hasMap = kind == 1 || kind == 9
    return [1, 2, 3, 9, 10, 11].contains(kind) && map == (hasMap ? 1 : 0)
      && (hasMap ? length > 0 && [15, 16, 24, 32].contains(depth) : length == 0 && depth == 0)
      && width > 0 && height > 0 && [8, 15, 16, 24, 32].contains(bits) && flags & 0xc0 == 0
  }

  private static func video(_ reader: ByteReader) -> ForeignFile? {
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool { reader.matches(text, at: offset) }
    func video(_ kind: String) -> ForeignFile {
      other("a video (\(kind))", "Extract an image: ffmpeg -i FILE -frames:v 1 out.jpg")
    }
    if starts("ftyp", at: 4) || starts("moov", at: 4) || starts("mdat", at: 4) {
      return video("MP4 or QuickTime")
    }
    if starts("RIFF"), starts("AVI ", at: 8) { return video("AVI") }
    if reader.uint32BE(at: 0) == 0x1a45_dfa3 { return video("Matroska or WebM") }
    if let code = reader.uint32BE(at: 0), code == 0x0000_01ba || code == 0x0000_01b3 { return video("MPEG") }
    if starts("FLV\u{1}") { return video("Flash") }
    return nil
  }

  private static func document(_ reader: ByteReader) -> ForeignFile? {
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool { reader.matches(text, at: offset) }
    if starts("TFL3", at: 4) { return other("a TFLite model") }
    // **Source:** RFC 1740, appendix A.
    if reader.uint32BE(at: 0) == 0x0005_1607 {
      return other("an AppleDouble file of macOS", "Give the file without '._' before its name")
    }
    if starts("%PDF-") { return other("a PDF document", "Convert its pages: pdftoppm -r 150 -png FILE page") }
    if starts("%!PS") {
      return other("a PostScript document", "Convert its pages: magick -density 150 FILE page.png")
    }
    if starts("PK\u{3}\u{4}") { return other("a ZIP archive", "Unpack it first: unzip FILE") }
    if reader.uint16BE(at: 0) == 0x1f8b { return other("a gzip file", "Unpack it first: gunzip FILE") }
    if reader.uint32BE(at: 0) == 0x377a_bcaf { return other("a 7z archive", "Unpack it first: 7z x FILE") }
    if starts("BZh") { return other("a bzip2 file", "Unpack it first: bunzip2 FILE") }
    if reader.uint32BE(at: 0) == 0xfd37_7a58 { return other("an xz file", "Unpack it first: unxz FILE") }
    if reader.uint32BE(at: 0) == 0x28b5_2ffd {
      return other("a Zstandard file", "Unpack it first: unzstd FILE")
    }
    if starts("ustar", at: 257) { return other("a tar archive", "Unpack it first: tar xf FILE") }
    if starts("\u{7f}ELF") { return other("a program") }
    if starts("<!DOCTYPE") || starts("<!doctype") || starts("<html") || starts("<HTML") || starts("<?xml") {
      return other(
        "an HTML or XML page", "If it was downloaded, check the URL: the server sent a page")
    }
    return reader.looksLikeText ? other("text") : nil
  }
}
