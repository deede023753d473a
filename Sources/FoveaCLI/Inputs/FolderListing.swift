// SPDX-License-Identifier: Apache-2.0

import FoveaImage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The entries of one folder that matter, in natural order.
///
/// All names lie in one block of bytes: 100,000 of them take a few megabytes, an array of strings many times that.
struct FolderListing {
  enum Kind: UInt8 { case picture, folder }

  /// Why a folder could not be read.
  struct Failure: Error {
    let errno: Int32
  }

  private var names: [UInt8] = []
  private var entries: [Entry] = []
  private var next = 0
  /// Whether folders were left out because nobody asked for them.
  private(set) var hasSkippedFolders = false

  private struct Entry {
    var start: UInt32
    var length: UInt16
    var kind: Kind

    func name(in names: [UInt8]) -> ArraySlice<UInt8> {
      names[Int(start)..<Int(start) + Int(length)]
    }
  }

  /// Reads a folder: files with a picture's extension and, with `recursive`, folders; hidden ones are left out.
  init(_ folder: FilePath, recursive: Bool) throws(Failure) {
    guard let stream = unsafe opendir(folder.cString) else { throw Failure(errno: errno) }
    defer { unsafe closedir(stream) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe FolderListing.name(of: entry)
      guard let first = name.first, first != 0x2E else { continue }
      let kind = unsafe FolderListing.kind(of: Int32(entry.pointee.d_type), name, in: folder)
      guard let kind else { continue }
      if kind == .folder && !recursive {
        hasSkippedFolders = true
        continue
      }
      entries.append(Entry(start: UInt32(names.count), length: UInt16(name.count), kind: kind))
      names += name
    }
    // A folder that can be opened but not read to its end must not look like a short one.
    guard errno == 0 else { throw Failure(errno: errno) }
    let block = names
    entries.sort { NaturalOrder.precedes($0.name(in: block), $1.name(in: block)) }
  }

  /// How many pictures have not been taken yet.
  var remainingPictures: Int { entries[next...].count { $0.kind == .picture } }

  mutating func popFirst() -> (name: ArraySlice<UInt8>, kind: Kind)? {
    guard next < entries.count else { return nil }
    defer { next += 1 }
    return (entries[next].name(in: names), entries[next].kind)
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    // The name ends with a zero inside the record; the field's declared length is only its upper bound.
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
      let length = unsafe strlen(UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
      return unsafe [UInt8](UnsafeRawBufferPointer(start: field, count: length))
    }
  }

  private static func kind(of type: Int32, _ name: [UInt8], in folder: FilePath) -> Kind? {
    let isPicture = PictureName.hasPictureExtension(name)
    switch type {
    case Int32(DT_DIR): return .folder
    case Int32(DT_REG): return isPicture ? .picture : nil
    case Int32(DT_LNK), Int32(DT_UNKNOWN):
      switch FileStatus(folder.appending(name[...]))?.kind {
      case .folder: return .folder
      case .file: return isPicture ? .picture : nil
      // A link that leads nowhere is listed: opening it gives the error that the user should see.
      case nil: return isPicture ? .picture : nil
      case .other: return nil
      }
    default: return nil
    }
  }
}
