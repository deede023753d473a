// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A file of another kind that was given as a label file, recognised by its first bytes.
struct ForeignLabelFile {
  /// The kind of file, with an article: "a PDF document".
  let what: String
  /// The way to a label file: one sentence without a final full stop.
  let remedy: Advice

  private init(_ what: String, _ remedy: Advice) {
    self.what = what
    self.remedy = remedy
  }

  private static let write: Advice = "Give a text file (UTF-8) with one label per line"

  /// Recognises a file; returns nil for text and for unknown bytes.
  ///
  /// **Source:** the signatures in each format's specification; those that labels could begin with, such as
  /// GIF's, are left out.
  init?(_ bytes: [UInt8]) {
    func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: signature)
    }
    if starts(Array("{\\rtf".utf8)) {
      self.init("an RTF document", "Save it as plain text (UTF-8), one label per line")
    } else if starts(Array("%PDF-".utf8)) {
      self.init("a PDF document", "Copy its labels into a text file (UTF-8), one label per line")
    } else if starts([0x50, 0x4B, 3, 4]) {
      self.init(archive: bytes)
    } else if starts([0x1F, 0x8B]) {
      self.init("a gzip file", "Unpack it with gunzip or tar xzf, and give the label file in it")
    } else if starts([0x42, 0x5A, 0x68]), starts([0x31, 0x41, 0x59, 0x26, 0x53, 0x59], at: 4) {
      self.init("a bzip2 file", "Unpack it with bunzip2, and give the label file in it")
    } else if starts([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) {
      self.init("an xz file", "Unpack it with unxz, and give the label file in it")
    } else if starts([0x28, 0xB5, 0x2F, 0xFD]) {
      self.init("a Zstandard file", "Unpack it with unzstd, and give the label file in it")
    } else if starts([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) {
      self.init("a 7z archive", "Unpack it, and give the label file in it")
    } else if starts([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
      self.init(
        "a document of Microsoft Office", "Save a sheet as CSV (UTF-8), or text as plain text (UTF-8)")
    } else if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self.init("a PNG image", Self.write)
    } else if starts([0xFF, 0xD8, 0xFF]) {
      self.init("a JPEG image", Self.write)
    } else if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) {
      self.init("a WebP image", Self.write)
    } else if starts(Array("TFL3".utf8), at: 4), bytes.prefix(4).contains(0) {
      self.init(
        "a TFLite model", "Leave it out: labels in a model's own metadata are used without a label file")
    } else {
      return nil
    }
  }

  /// Distinguishes documents of Office and OpenDocument, which are ZIP archives, by the names of their
  /// entries.
  ///
  /// **Source:** PKWARE, APPNOTE.TXT, section 4.3.7; ECMA-376, part 1; OpenDocument 1.3, part 2, section 3.3:
  /// the first entry, without compression and with a name of eight bytes, is the type.
  private init(archive bytes: [UInt8]) {
    let type = String(decoding: bytes.dropFirst(30).prefix(80), as: UTF8.self)
    let isOffice = type.hasPrefix("[Content_Types].xml") || type.hasPrefix("_rels/")
    func has(_ entry: String) -> Bool { isOffice && bytes.contains(part: entry.utf8) }
    if has("xl/workbook.") || type.hasPrefix("mimetypeapplication/vnd.oasis.opendocument.spreadsheet") {
      self.init("a spreadsheet", "Save its sheet as CSV (UTF-8), and give that file")
    } else if has("word/document.xml") || type.hasPrefix("mimetypeapplication/vnd.oasis.opendocument.text") {
      self.init("a text document", "Save it as plain text (UTF-8), one label per line")
    } else {
      self.init("a ZIP archive", "Unpack it, and give the label file in it")
    }
  }
}
