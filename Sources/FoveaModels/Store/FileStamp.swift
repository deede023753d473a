// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// What a file's bytes cannot change without: its size, the time of its last change, and which file it is.
///
/// While these are those of its verification, the file is not read again; `ModelStore.verify` reads it always.
struct FileStamp: Codable, Hashable {
  var bytes: Int
  /// In nanoseconds since 1970.
  var modified: Int
  var inode: UInt64

  /// Nil where there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    bytes = Int(status.st_size)
    inode = UInt64(status.st_ino)
    #if os(macOS) || os(iOS)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}
