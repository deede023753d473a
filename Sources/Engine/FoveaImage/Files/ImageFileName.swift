// SPDX-License-Identifier: Apache-2.0

/// The content of a file as indicated by its name.
package enum ImageFileName {
  /// The file extensions of images, in lower case, for each supported format.
  package static let extensions = [
    // JPEG
    "jpg", "jpeg", "jpe", "jfif", "jif", "jfi", "pjpeg", "pjpg", "pjp", "mpo",
    // PNG, WebP
    "png", "apng", "webp",
    // HEIC, AVIF
    "heic", "heif", "hif", "heics", "heifs", "avif", "avifs",
    // GIF, BMP, TIFF
    "gif", "bmp", "dib", "rle", "tif", "tiff", "tf8", "btf",
    "gtif", "gtiff", "geotiff",
  ]

  /// The file extensions of images as a list for messages.
  package static let extensionList = extensions.map { "." + $0 }.joined(separator: ", ")

  /// Returns the extension in lower case if it is an image's; otherwise nil.
  package static func imageExtension(_ name: some BidirectionalCollection<UInt8>) -> String? {
    self.extension(name).flatMap { extensions.contains($0) ? $0 : nil }
  }

  package static func hasImageExtension(_ name: [UInt8]) -> Bool { imageExtension(name) != nil }

  /// Returns whether the extension belongs to something other than an image, or to a file that should not be
  /// read as one: text, data, video, raw photos and their previews, partial and backup files.
  static func hasForeignExtension(_ name: [UInt8]) -> Bool {
    name.last == UInt8(ascii: "~") || self.extension(name).map(foreign.contains) ?? false
  }

  /// Returns a short name for an image format that is not supported, by its extension; otherwise nil.
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

  /// Returns the text after the last dot, in lower case; nil if it is empty or nothing precedes the dot.
  private static func `extension`(_ name: some BidirectionalCollection<UInt8>) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
    let tail = name[name.index(after: dot)...]
    guard (1...12).contains(tail.count) else { return nil }
    return String(decoding: tail, as: UTF8.self).lowercased()
  }
}
