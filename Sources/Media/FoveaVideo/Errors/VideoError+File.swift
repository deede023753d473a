// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

extension VideoError {
  /// Returns the error for a video whose file cannot be created.
  /// - Parameters:
  ///   - path: The video.
  ///   - error: The system's reason.
  /// - Returns: `write-failed`, with the remedy for that reason.
  package static func unwritable(_ path: String, _ error: SystemError) -> VideoError {
    let place = (try? FilePath.resolved(path)) ?? path
    return failure(path, "the file '\(PartialPath.of(place))' cannot be created", error)
  }

  /// Returns the error for the path of a folder, a device or a pipe.
  package static func noFile(_ path: String) -> VideoError {
    let isFolder = FileStatus(FilePath(path))?.kind == .folder
    return VideoError(
      isFolder ? .isDirectory : .writeFailed,
      isFolder ? "this is a folder" : "this is a device or a pipe, and a video needs a file",
      remedy: "Name a file", subject: path)
  }

  /// Returns the error for a video that cannot be renamed to its final name.
  static func unfinished(_ path: String, _ error: SystemError) -> VideoError {
    failure(path, "the video cannot be finished", error)
  }

  private static func failure(_ path: String, _ what: String, _ error: SystemError) -> VideoError {
    let remedy: Advice =
      switch error.number {
      case EACCES, EPERM, EROFS: "Choose a folder that you may write to"
      case ENOENT, ENOTDIR: "Create the folder first"
      case ENAMETOOLONG: "Choose a shorter name"
      case ENOSPC, EDQUOT: "Free some disk space"
      case EFBIG: "\(error.spaceRemedy ?? "")"
      case EWOULDBLOCK: "Wait until the other process that writes it has ended, or name another file"
      default: "Check the disk"
      }
    return VideoError(.writeFailed, "\(what): \(error.message)", remedy: remedy, subject: path)
  }
}
