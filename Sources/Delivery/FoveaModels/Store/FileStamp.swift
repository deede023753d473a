// SPDX-License-Identifier: Apache-2.0

import FoveaCore

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
    guard let status = FileStatus(FilePath(path)), status.kind == .file else { return nil }
    bytes = status.size
    inode = status.identity.number
    modified = status.modified
  }
}
