// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that gets its name when it is complete; until then ".partial" stands behind it.
///
/// A file of that name that exists stays as it is until then.
final class OutputVideoFile: Sendable {
  let path: String
  let partialPath: String
  let descriptor: Int32

  init(path: String, partialPath: String) throws(VideoError) {
    self.path = path
    self.partialPath = partialPath
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw VideoError(
        code: isFolder ? .isDirectory : .writeFailed,
        message: isFolder ? "this is a folder" : "this is a device or a pipe, and a video needs a file",
        remedy: "Name a file", videoName: path)
    }
    descriptor = unsafe open(partialPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw .unwritable(path, partialPath: partialPath, number: errno)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Gives the file its name.
  func commit() throws(VideoError) {
    guard unsafe rename(partialPath, path) == 0 else {
      throw .failure(path, "'\(partialPath)' cannot be renamed", errno)
    }
  }

  /// Removes it.
  func discard() { unsafe unlink(partialPath) }
}

extension VideoError {
  /// The error for a video whose file cannot be made.
  /// - Parameters:
  ///   - path: The video.
  ///   - partialPath: Its name until it is whole.
  ///   - number: The system's number for what went wrong.
  /// - Returns: `write-failed`, with the remedy for that number.
  package static func unwritable(_ path: String, partialPath: String, number: Int32) -> VideoError {
    failure(path, "the file '\(partialPath)' cannot be made", number)
  }

  fileprivate static func failure(_ path: String, _ what: String, _ code: Int32) -> VideoError {
    let remedy =
      switch code {
      case EACCES, EPERM, EROFS: "Write into a folder that you may write to"
      case ENOENT, ENOTDIR: "Make the folder first"
      case ENAMETOOLONG: "Choose a shorter name"
      case ENOSPC, EDQUOT: "Make room on the disk"
      default: "Check the disk"
      }
    return VideoError(
      code: .writeFailed, message: "\(what): \(unsafe String(cString: strerror(code)))", remedy: remedy,
      videoName: path)
  }
}
