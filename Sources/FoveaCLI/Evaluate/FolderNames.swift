// SPDX-License-Identifier: Apache-2.0

import FoveaImage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The names in a folder.
enum FolderNames {
  /// All names but hidden ones, in natural order; nil where the folder cannot be read, and `errno` tells why.
  static func list(_ folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      // SAFETY: the name ends with a zero inside the record.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe String(cString: UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    guard errno == 0 else { return nil }
    return names.sorted { NaturalOrder.precedes(Array($0.utf8)[...], Array($1.utf8)[...]) }
  }

  /// The path of a name in a folder.
  static func path(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  static func isFile(_ path: String) -> Bool {
    FileStatus(FilePath(path)).map { $0.kind != .folder } ?? false
  }
  static func isFolder(_ path: String) -> Bool { FileStatus(FilePath(path))?.kind == .folder }
}
