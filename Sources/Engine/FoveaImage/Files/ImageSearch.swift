// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// Which files of folders are images, and which were passed over.
///
/// A name that ends as those of images do is enough. One that ends as other files do is enough to pass it
/// over. Where the name says nothing, as that of a download without an ending, the first bytes do.
package struct ImageSearch: Sendable {
  /// Files of which a note shows the first names.
  private struct Files {
    var count = 0
    var names: [String] = []

    mutating func add(_ other: Files) {
      count += other.count
      names += other.names.prefix(ImageSearch.shownCount - names.count)
    }

    /// The first names, as a list.
    var shown: String { names.map(\.printable).joined(separator: ", ") + (count > names.count ? ", …" : "") }
  }

  /// How many files were passed over.
  package var passedOver: Int { others.count + unread.count }
  /// Files that are no images.
  private var others = Files()
  /// Images of kinds that are not read.
  private var unread = Files()
  /// How many of each such kind.
  private var kinds: [String: Int] = [:]

  private static let shownCount = 3

  /// Nothing found yet.
  package init() {}

  /// Whether a file is an image; one that is not is counted.
  /// - Parameters:
  ///   - name: The name of the file in its folder.
  ///   - path: Where it is.
  ///   - shownName: What the note calls it; its name where nil.
  /// - Returns: Whether it is to be taken for an image. What is damaged, or no file, has its error when it is
  ///   opened.
  package mutating func takes(_ name: [UInt8], at path: FilePath, shownName: String? = nil) -> Bool {
    if ImageFileName.hasImageExtension(name) { return true }
    var kind = ImageFileName.unreadKind(name)
    if !ImageFileName.hasForeignExtension(name) {
      switch FileKind(prefix: FileBytes.prefix(of: path)) {
      // Raw photos and scanners' files of many kinds begin as TIFF does; what calls itself something else is
      // none.
      case .image(.tiff) where path.ending != nil: kind = "TIFF with another ending"
      case .image: return true
      case .other(let file): kind = file.imageKind
      case .unknown: break
      }
    }
    let file = Files(count: 1, names: [shownName ?? String(decoding: name, as: UTF8.self)])
    if let kind {
      unread.add(file)
      kinds[kind, default: 0] += 1
    } else {
      others.add(file)
    }
    return false
  }

  /// Counts what is no file, as a pipe.
  package mutating func passOver(_ shownName: String) { others.add(Files(count: 1, names: [shownName])) }

  /// Adds what another search has passed over.
  package mutating func add(_ other: ImageSearch) {
    others.add(other.others)
    unread.add(other.unread)
    kinds.merge(other.kinds, uniquingKeysWith: +)
  }

  /// How many files were passed over, of which kinds, and the first of them, as a sentence without the final
  /// stop; nil where there is none.
  package var note: String? {
    guard passedOver > 0 else { return nil }
    var parts: [String] = []
    if let unreadImages { parts.append(unreadImages) }
    if others.count > 0 {
      parts.append(
        "\(DecimalText.counted(others.count, "file that is no image", "files that are no images")): \(others.shown)"
      )
    }
    return "passed over " + parts.joined(separator: ", and ")
  }

  /// The images of kinds that are not read: how many of each, and the first of them; nil where there is none.
  package var unreadImages: String? {
    guard unread.count > 0 else { return nil }
    let kinds = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    return "\(DecimalText.counted(unread.count, "image", "images")) that Fovea does not read: "
      + "\(kinds.joined(separator: ", ")) (\(unread.shown))"
  }
}
