// SPDX-License-Identifier: Apache-2.0

/// What a file's name says about its content.
package enum ImageFileName {
  /// The extensions by which folders are searched, in the words of messages.
  package static let extensionList = extensions.map { "." + $0 }.joined(separator: ", ")
  /// The extensions by which folders are searched, in lower case.
  package static let extensions = [
    "jpg", "jpeg", "png", "webp", "heic", "heif", "avif", "gif", "bmp", "tif", "tiff",
  ]

  /// The extension in lower case, where it is one of an image; nil otherwise.
  package static func pictureExtension(_ name: some BidirectionalCollection<UInt8>) -> String? {
    guard let dot = name.lastIndex(of: 0x2E), dot != name.startIndex else { return nil }
    let tail = name[name.index(after: dot)...]
    guard tail.count <= 4 else { return nil }
    let lowered = String(decoding: tail, as: UTF8.self).lowercased()
    return extensions.contains(lowered) ? lowered : nil
  }

  package static func hasImageExtension(_ name: [UInt8]) -> Bool { pictureExtension(name) != nil }
}
