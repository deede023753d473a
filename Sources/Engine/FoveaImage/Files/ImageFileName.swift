// SPDX-License-Identifier: Apache-2.0

/// What a file's name says about its content.
package enum ImageFileName {
  /// The extensions of images, in lower case: those in use for each format that is read.
  package static let extensions = [
    // JPEG
    "jpg", "jpeg", "jpe", "jfif", "jif", "jfi", "pjpeg", "pjpg", "pjp", "mpo",
    // PNG, WebP
    "png", "apng", "webp",
    // HEIC, AVIF
    "heic", "heif", "hif", "heics", "heifs", "avif", "avifs",
    // GIF, BMP, TIFF
    "gif", "bmp", "dib", "rle", "tif", "tiff", "tf8", "btf",
  ]

  /// The extensions of images, in the words of messages.
  package static let extensionList = extensions.map { "." + $0 }.joined(separator: ", ")

  /// The extension in lower case, where it is one of an image; nil otherwise.
  package static func pictureExtension(_ name: some BidirectionalCollection<UInt8>) -> String? {
    self.extension(name).flatMap { extensions.contains($0) ? $0 : nil }
  }

  package static func hasImageExtension(_ name: [UInt8]) -> Bool { pictureExtension(name) != nil }

  /// Whether the extension is one of something that is no image, or none that is meant to be taken for one:
  /// text, data, video, raw photos and their previews, files that are being written or were kept.
  static func hasForeignExtension(_ name: [UInt8]) -> Bool {
    name.last == UInt8(ascii: "~") || self.extension(name).map(foreign.contains) ?? false
  }

  /// The kind of image, in few words, that an extension says where files of that kind are not read; nil
  /// otherwise.
  static func unreadKind(_ name: [UInt8]) -> String? {
    guard let ending = self.extension(name) else { return nil }
    return raw.contains(ending) ? "raw" : unreadKinds[ending]
  }

  private static let unreadKinds = [
    "psd": "Photoshop", "xcf": "GIMP", "svg": "SVG", "eps": "EPS", "pcx": "PCX", "sgi": "SGI",
  ]

  private static let raw: Set<String> = [
    "dng", "nef", "nrw", "cr2", "cr3", "crw", "arw", "srf", "sr2", "orf", "rw2", "raf", "pef", "srw", "3fr",
    "iiq", "kdc", "dcr", "mrw", "x3f", "erf", "mef", "mos",
  ]

  private static let foreign: Set<String> = raw.union([
    "txt", "md", "rst", "csv", "tsv", "json", "jsonl", "ndjson", "geojson", "xml", "yaml", "yml", "toml",
    "ini", "cfg",
    "html", "htm", "css", "js", "log", "pdf", "doc", "docx", "xls", "xlsx", "svg", "parquet", "npy", "npz",
    "pkl",
    "tflite", "onnx", "pb", "pbtxt", "h5", "pt", "pth", "names", "db", "sqlite", "py", "swift", "sh", "c",
    "h",
    "zip", "tar", "gz", "tgz", "bz2", "xz", "7z", "zst",
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "mts", "m2ts", "mpg", "mpeg", "wmv", "flv", "3gp", "wav",
    "mp3", "m4a",
    "thm", "xmp", "aae", "raw", "psd", "xcf", "ai", "eps",
    "partial", "part", "tmp", "temp", "bak", "old", "orig", "swp", "crdownload", "download", "lock",
  ])

  /// What follows the last dot, in lower case; nil where nothing does, or nothing stands before it.
  private static func `extension`(_ name: some BidirectionalCollection<UInt8>) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
    let tail = name[name.index(after: dot)...]
    guard (1...12).contains(tail.count) else { return nil }
    return String(decoding: tail, as: UTF8.self).lowercased()
  }
}
