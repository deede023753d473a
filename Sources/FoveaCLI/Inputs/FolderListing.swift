// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaSystem

/// The entries of one folder that matter, in natural order.
///
/// All names lie in one block of bytes: 100,000 of them take a few megabytes, an array of strings many times that.
struct FolderListing {
  enum Kind: UInt8 { case picture, folder }

  private var names: [UInt8] = []
  private var entries: [Entry] = []
  private var next = 0
  /// Whether folders were left out because no one asked for them.
  private(set) var hasSkippedFolders = false

  private struct Entry {
    var start: UInt32
    var length: UInt16
    var kind: Kind

    func name(in names: [UInt8]) -> ArraySlice<UInt8> {
      names[Int(start)..<Int(start) + Int(length)]
    }
  }

  /// Reads a folder: files with an image's extension and, with `recursive`, folders; hidden ones are left out.
  init(_ folder: FilePath, recursive: Bool) throws(SystemError) {
    var (names, entries, hasSkippedFolders) = (names, entries, hasSkippedFolders)
    try Folder.forEach(in: folder) { name, entry in
      guard let first = name.first, first != 0x2E,
        let kind = FolderListing.kind(of: entry, name, in: folder)
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

  private static func kind(of entry: Folder.Entry, _ name: [UInt8], in folder: FilePath) -> Kind? {
    let isPicture = ImageFileName.hasImageExtension(name)
    switch entry {
    case .folder: return .folder
    case .file: return isPicture ? .picture : nil
    case .unknown:
      switch FileStatus(folder.appending(name[...]))?.kind {
      case .folder: return .folder
      case .file: return isPicture ? .picture : nil
      // A link that leads nowhere is listed: opening it gives the error that the user should see.
      case nil: return isPicture ? .picture : nil
      case .other: return nil
      }
    case .other: return nil
    }
  }
}
