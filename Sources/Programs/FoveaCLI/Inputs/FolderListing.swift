// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaImage

/// The images and folders in one folder, in natural order.
///
/// All names share one block of bytes: 100,000 names take a few megabytes, while strings would take many
/// times as much.
struct FolderListing {
  enum Kind: UInt8 { case image, folder }

  private var names: [UInt8] = []
  private var entries: [Entry] = []
  private var next = 0
  /// Whether folders were skipped because the search is not recursive.
  private(set) var hasSkippedFolders = false

  private struct Entry {
    var start: UInt32
    var length: UInt16
    var kind: Kind

    func name(in names: [UInt8]) -> ArraySlice<UInt8> { names[Int(start)..<Int(start) + Int(length)] }
  }

  /// Reads a folder: images and, with `recursive`, folders; hidden entries are skipped.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - recursive: Whether to list folders in it.
  ///   - relative: The prefix of displayed names.
  ///   - search: Decides which files are images, and counts the others.
  /// - Throws: The system's reason if the folder cannot be read.
  init(
    _ folder: FilePath, recursive: Bool, relative: String = "", search: inout ImageSearch
  ) throws(SystemError) {
    var (names, entries, hasSkippedFolders) = (names, entries, hasSkippedFolders)
    var found = ImageSearch()
    defer { search.add(found) }
    try Folder.forEach(in: folder) { name, entry in
      guard !Folder.isHidden(name),
        let kind = FolderListing.kind(of: entry, name, in: folder, relative, &found)
      else { return }
      if kind == .folder && !recursive {
        hasSkippedFolders = true
        return
      }
      entries.append(Entry(start: UInt32(names.count), length: UInt16(name.count), kind: kind))
      names += name
    }
    entries.sort { NaturalOrder.precedes($0.name(in: names), $1.name(in: names)) }
    (self.names, self.entries, self.hasSkippedFolders) = (names, entries, hasSkippedFolders)
  }

  mutating func popFirst() -> (name: ArraySlice<UInt8>, kind: Kind)? {
    guard next < entries.count else { return nil }
    defer { next += 1 }
    return (entries[next].name(in: names), entries[next].kind)
  }

  private static func kind(
    of entry: Folder.Entry, _ name: [UInt8], in folder: FilePath, _ relative: String,
    _ search: inout ImageSearch
  ) -> Kind? {
    let path = folder.appending(name[...])
    var isFile = true
    switch entry {
    case .folder: return .folder
    case .file: break
    case .unknown:
      switch FileStatus(path)?.kind {
      case .folder: return .folder
      // A broken link is listed: opening it reports the error that the user should see.
      case .file, nil: break
      case .other: isFile = false
      }
    case .other: isFile = false
    }
    let shown = relative + String(decoding: name, as: UTF8.self)
    guard isFile else {
      search.passOver(shown)
      return nil
    }
    return search.takes(name, at: path, shownName: shown) ? .image : nil
  }
}
