// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// An open file or pipe, which is closed with its last owner unless it is standard input.
final class InputVideoFile: Sendable {
  let descriptor: Int32
  private let isOwned: Bool

  /// Uses standard input.
  init() {
    descriptor = STDIN_FILENO
    isOwned = false
  }

  /// Opens a file or named pipe.
  init(path: String) throws(VideoError) {
    // O_NONBLOCK: opening a named pipe without a writer must not hang; regular files ignore it.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    isOwned = true
    guard descriptor >= 0 else { throw Self.openError(path, errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.unreadable(path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard status.st_size > 0 else {
        throw VideoError(
          .empty, "the file is empty (0 bytes)", remedy: "Copy or download the video again",
          subject: path)
      }
    case S_IFIFO: break
    case S_IFDIR: throw Self.folder(path)
    default:
      throw VideoError(
        .unreadable, "this is a device or a socket, not a camera",
        remedy: "Give a file, a camera (/dev/video0) or an address", subject: path)
    }
  }

  deinit { if isOwned, descriptor >= 0 { close(descriptor) } }

  /// Returns the first bytes of a regular file without changing its position; empty for a pipe.
  func head() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Refuses lists of other files, which it recognizes by their first bytes.
  func refusePlaylist(_ name: String) throws(VideoError) {
    var text = head()[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    let kinds = [
      ("#EXTM3U", "an M3U playlist"), ("ffconcat", "a list of files for FFmpeg"),
      ("[playlist]", "a PLS playlist"), ("v=0\r\no=", "a session description (SDP)"),
      ("v=0\no=", "a session description (SDP)"),
    ]
    guard let kind = kinds.first(where: { text.starts(with: $0.0.utf8) }) else { return }
    throw VideoError(
      .playlist,
      "this is \(kind.1), which names other files; Fovea does not open such files",
      remedy: "Give the video itself, or the playlist's HTTP URL", subject: name)
  }

  private static func openError(_ path: String, _ code: Int32) -> VideoError {
    switch code {
    case ENOENT, ENOTDIR:
      VideoError(
        .notFound, "there is no such file",
        remedy: VideoSource.scheme(of: path).map {
          $0 == "file"
            ? "Give the path without 'file://'"
            : "Check the path; addresses begin with \(VideoSource.schemes.sorted().joined(separator: ", "))"
        } ?? "Check the path", subject: path)
    case EISDIR: folder(path)
    default: unreadable(path, code)
    }
  }

  private static func folder(_ path: String) -> VideoError {
    VideoError(
      .isDirectory, "this is a folder, not a video",
      remedy: "Give a file inside it, or read its images as frames (FrameFolder)", subject: path)
  }

  private static func unreadable(_ path: String, _ code: Int32) -> VideoError {
    let reason = systemMessage(code)
    return VideoError(
      .unreadable, "the file cannot be read: \(reason)",
      remedy: code == EACCES || code == EPERM
        ? "Give yourself the right to read it (chmod u+r)" : "Check the path and the disk", subject: path)
  }
}
