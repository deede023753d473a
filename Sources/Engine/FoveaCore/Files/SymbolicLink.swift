// SPDX-License-Identifier: Apache-2.0

/// Reads and replaces symbolic links.
package enum SymbolicLink {
  /// Returns whether a path is a link, which may lead nowhere; nil if nothing has that name.
  package static func isLink(_ path: String) -> Bool? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns the path of the file that would be opened or created at a path: with all links followed.
  /// - Throws: The system's reason, unless there is no such file.
  package static func place(of path: String) throws(SystemError) -> String {
    if FileStatus(FilePath(path)) != nil { return try FilePath.resolved(path) }
    guard errno == ENOENT else { throw SystemError(errno) }
    guard isLink(path) == true else { return path }
    // A link to a file that does not exist yet.
    guard let link = target(of: path) else { throw SystemError(errno) }
    return try place(of: link.hasPrefix("/") ? link : FilePath(path).parent + "/" + link)
  }

  /// Returns the target of a link; nil, with `errno` set, if it is not a link.
  package static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Replaces a file or another link by a link, atomically.
  /// - Parameters:
  ///   - path: The link.
  ///   - target: The target; if it is itself a link, it is followed.
  /// - Throws: The system's reason; the existing file is kept.
  package static func replace(_ path: String, target: FilePath) throws(SystemError) {
    guard let target = unsafe realpath(target.cString, nil) else { throw SystemError(errno) }
    defer { unsafe free(target) }
    let partial = PartialPath.of(path)
    // Left by a killed process.
    unsafe unlink(partial)
    guard unsafe symlink(target, partial) == 0, unsafe rename(partial, path) == 0 else {
      let number = errno
      unsafe unlink(partial)
      throw SystemError(number)
    }
  }
}
