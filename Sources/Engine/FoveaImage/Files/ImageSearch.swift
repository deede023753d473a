// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// A search for images in folders, which counts the files that it skips.
///
/// The extension of an image is enough to accept a file, and another known extension is enough to skip it. If
/// the name shows nothing, as for a download without an extension, the first bytes decide.
package struct ImageSearch: Sendable {
  /// The number of files of one kind, and their first names for a note.
  private struct Files {
    var count = 0
    var names: [String] = []

    mutating func add(_ other: Files) {
      count += other.count
      names += other.names.prefix(ImageSearch.shownCount - names.count)
    }

    /// The first names as a list.
    var shown: String { names.map(\.printable).joined(separator: ", ") + (count > names.count ? ", …" : "") }
  }

  /// The number of skipped files.
  package var passedOver: Int { others.count + unread.count }
  /// Files that are not images.
  private var others = Files()
  /// Images in unsupported formats.
  private var unread = Files()
  /// The number of files of each unsupported format.
  private var kinds: [String: Int] = [:]

  private static let shownCount = 3

  /// Creates an empty search.
  package init() {}

  /// Returns whether a file is an image, and counts it if it is not.
  /// - Parameters:
  ///   - name: The name of the file in its folder.
  ///   - path: The path of the file.
  ///   - shownName: The name in the note; nil uses `name`.
  /// - Returns: Whether to treat the file as an image; if it is damaged or special, opening it fails.
  package mutating func takes(_ name: [UInt8], at path: FilePath, shownName: String? = nil) -> Bool {
    if ImageFileName.hasImageExtension(name) { return true }
    var kind = ImageFileName.unreadKind(name)
    if !ImageFileName.hasForeignExtension(name) {
      switch FileKind(prefix: FileBytes.prefix(of: path)) {
      // Raw photos and many kinds of scanner files begin like TIFF; one with another extension is not read as
      // TIFF.
      case .image(.tiff) where path.ending != nil: kind = "TIFF with another extension"
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

  /// Counts something other than a file, such as a pipe.
  package mutating func passOver(_ shownName: String) { others.add(Files(count: 1, names: [shownName])) }

  /// Adds the skipped files of another search.
  package mutating func add(_ other: ImageSearch) {
    others.add(other.others)
    unread.add(other.unread)
    kinds.merge(other.kinds, uniquingKeysWith: +)
  }

  /// The number of skipped files, their kinds and the first names, as a sentence without a full stop at the
  /// end; nil if there are none.
  package var note: String? {
    guard passedOver > 0 else { return nil }
    var parts: [String] = []
    if let unreadImages { parts.append(unreadImages) }
    if others.count > 0 {
      parts.append(
        "\(DecimalText.counted(others.count, "file that is not an image", "files that are not images"))"
          + ": \(others.shown)"
      )
    }
    return "skipped " + parts.joined(separator: ", and ")
  }

  /// The number of images in each unsupported format and the first names; nil if there are none.
  package var unreadImages: String? {
    guard unread.count > 0 else { return nil }
    let kinds = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    return "\(DecimalText.counted(unread.count, "image", "images")) that Fovea does not read: "
      + "\(kinds.joined(separator: ", ")) (\(unread.shown))"
  }
}
