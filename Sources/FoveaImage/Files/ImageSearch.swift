// SPDX-License-Identifier: Apache-2.0

package import FoveaSystem

/// Which files of folders are images, and which were passed over.
///
/// A name that ends as those of images do is enough. One that ends as other files do is enough to pass it over. Where the
/// name says nothing, as that of a download without an ending, the first bytes do.
package struct ImageSearch: Sendable {
  /// How many files were passed over.
  package private(set) var passedOver = 0
  private var names: [String] = []

  private static let shownCount = 3

  /// Nothing found yet.
  package init() {}

  /// Whether a file is an image; one that is not is counted.
  /// - Parameters:
  ///   - name: The name of the file in its folder.
  ///   - path: Where it is.
  ///   - shownName: What the note calls it; its name where nil.
  /// - Returns: Whether it is to be taken for an image. What is damaged, or no file, has its error when it is opened.
  package mutating func takes(_ name: [UInt8], at path: FilePath, shownName: String? = nil) -> Bool {
    if ImageFileName.hasImageExtension(name) { return true }
    if !ImageFileName.hasForeignExtension(name), Self.isImage(path) { return true }
    passedOver += 1
    if names.count < Self.shownCount { names.append(shownName ?? String(decoding: name, as: UTF8.self)) }
    return false
  }

  /// Adds what another search has passed over.
  package mutating func add(_ other: ImageSearch) {
    passedOver += other.passedOver
    names += other.names.prefix(Self.shownCount - names.count)
  }

  /// How many files were passed over, and the first of them, as a sentence without the final stop; nil where there is none.
  package var note: String? {
    guard passedOver > 0 else { return nil }
    let shown = names.map(\.printable).joined(separator: ", ") + (passedOver > names.count ? ", …" : "")
    return
      "passed over \(DecimalText.counted(passedOver, "file", "files")) that \(passedOver == 1 ? "is" : "are") no image"
      + "\(passedOver == 1 ? "" : "s"): \(shown)"
  }

  private static func isImage(_ path: FilePath) -> Bool {
    guard case .image(let format) = FileKind(prefix: FileBytes.prefix(of: path)) else { return false }
    // Raw photos and scanners' files of many kinds begin as TIFF does; what calls itself something else is none.
    return format != .tiff || path.ending == nil
  }
}
