// SPDX-License-Identifier: Apache-2.0

/// Symbolic links.
package enum SymbolicLink {
  /// Whether a path is that of a link, which may lead nowhere; nil where nothing has that name.
  package static func isLink(_ path: String) -> Bool? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFLNK
  }

  /// Where a file is, or would be made, that is opened under a path: the path with all links followed.
  /// - Throws: The system's reason, other than that there is no such file.
  package static func place(of path: String) throws(SystemError) -> String {
    if FileStatus(FilePath(path)) != nil { return try FilePath.resolved(path) }
    guard errno == ENOENT else { throw SystemError(errno) }
    guard isLink(path) == true else { return path }
    // A link to a file that is not there yet.
    guard let link = target(of: path) else { throw SystemError(errno) }
    return try place(of: link.hasPrefix("/") ? link : FilePath(path).parent + "/" + link)
  }

  /// The path that a link holds; nil, with `errno`, for what is no link.
  package static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Puts a link in the place of a file or another link, whole or not at all.
  /// - Parameters:
  ///   - path: The link.
  ///   - target: What it leads to; a link itself is followed first.
  /// - Throws: The system's reason; what was there stays.
  package static func replace(_ path: String, target: FilePath) throws(SystemError) {
    guard let target = unsafe realpath(target.cString, nil) else { throw SystemError(errno) }
    defer { unsafe free(target) }
    let partial = PartialPath.of(path)
    // Left by a process that was killed.
    unsafe unlink(partial)
    guard unsafe symlink(target, partial) == 0, unsafe rename(partial, path) == 0 else {
      let number = errno
      unsafe unlink(partial)
      throw SystemError(number)
    }
  }
}
