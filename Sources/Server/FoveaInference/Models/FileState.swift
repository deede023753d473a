// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Identifies the state of a model's files, to detect changes after loading: their names, sizes and times.
struct FileState: Hashable, Sendable {
  private struct File: Hashable {
    var name: String
    var identity: FileStatus.Identity
    var size: Int
    var modified: Int
  }

  private let files: [File]

  /// Reads the state of a file, or of a folder's files; nil if it does not exist.
  init?(_ path: String) {
    guard let status = FileStatus(FilePath(path)) else { return nil }
    guard status.kind == .folder else {
      files = [FileState.file("", status)]
      return
    }
    guard let names = try? Folder.names(in: path) else { return nil }
    files = names.sorted().compactMap { name in
      FileStatus(FilePath(path + "/" + name)).map { FileState.file(name, $0) }
    }
  }

  private static func file(_ name: String, _ status: FileStatus) -> File {
    File(name: name, identity: status.identity, size: status.size, modified: status.modified)
  }
}
#endif
