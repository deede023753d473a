// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Reads an image file into memory.
///
/// The bytes are read, not mapped: if a mapped file is truncated, accessing the lost pages kills the process
/// with SIGBUS, and no check can prevent that. Reading 2 MB takes half a millisecond, compared with 24 ms for
/// decoding, and uses no more memory than the mapped pages would.
enum FileBytes {
  static func read(path: String, limits: ImageLimits) throws(ImageError) -> [UInt8] {
    // O_NONBLOCK: a named pipe without a writer must not hang; regular files ignore it.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw openError(path, errno) }
    defer { close(descriptor) }

    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw directoryError(path)
    default:
      throw ImageError(
        .unreadable, "this is a device, a pipe or a socket, not a file",
        remedy: "Save the image to a file, or pass its bytes", subject: path)
    }
    let size = Int(status.st_size)
    guard size > 0 else { throw emptyError(path) }
    guard size <= limits.maxFileBytes else { throw tooManyBytes(path, size, limits) }

    // Read the start first, to refuse a large file that is not an image without reading all of it.
    var bytes = try read(descriptor, at: 0, count: min(size, FileKind.prefixLength), path: path)
    if case .image = FileKind(prefix: bytes), bytes.count < size {
      bytes = try read(descriptor, at: 0, count: size, path: path)
    }
    guard !bytes.isEmpty else { throw emptyError(path) }
    return bytes
  }

  /// Returns the first bytes of a file, enough to recognise it; empty if it is unreadable or not a file.
  static func prefix(of path: FilePath) -> [UInt8] {
    let descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    return (try? read(descriptor, at: 0, count: FileKind.prefixLength, path: path.text)) ?? []
  }

  /// Reads `count` bytes, or as many as are left: files can shrink at any time.
  private static func read(
    _ descriptor: Int32, at start: Int, count: Int, path: String
  ) throws(ImageError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let result = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(start + filled))
        if result > 0 {
          filled += result
        } else if result == 0 || errno != EINTR {
          failure = result == 0 ? 0 : errno
          break
        }
      }
    }
    if failure != 0 { throw unreadable(path, failure) }
    return bytes
  }

  static func tooManyBytes(_ name: String, _ count: Int, _ limits: ImageLimits) -> ImageError {
    ImageError(
      .tooLarge, "the file has \(count) bytes, \(limits.maxFileBytes) are allowed",
      remedy: "Use a smaller image\(term: .raisedLimit("ImageLimits.maxFileBytes"))",
      subject: name)
  }

  static func emptyError(_ name: String) -> ImageError {
    ImageError(
      .empty, "the file is empty (0 bytes)",
      remedy: "Copy or download the image again", subject: name)
  }

  private static func directoryError(_ path: String) -> ImageError {
    ImageError(
      .isDirectory, "this is a folder, not an image",
      remedy: "Give a file inside it", subject: path)
  }

  private static func openError(_ path: String, _ code: Int32) -> ImageError {
    switch code {
    case ENOENT where isAddress(path), ENOTDIR where isAddress(path):
      ImageError(
        .networkAddress, "this is a URL, and URLs are not fetched",
        remedy: path.hasPrefix("file://")
          ? "Give the path without 'file://'" : "Download the image first and give the file",
        subject: path)
    case ENOENT, ENOTDIR:
      ImageError(
        .notFound, "there is no such file", remedy: "Check the path",
        subject: path)
    case EISDIR: directoryError(path)
    default: unreadable(path, code)
    }
  }

  /// Returns whether a path begins with "scheme://".
  private static func isAddress(_ path: String) -> Bool {
    guard let scheme = path.utf8.firstPlace(of: "://".utf8)?.lowerBound, scheme != path.utf8.startIndex
    else { return false }
    return path.utf8[..<scheme].allSatisfy {
      $0.isASCIILetterOrDigit || $0 == 0x2b || $0 == 0x2d || $0 == 0x2e
    }
  }

  private static func unreadable(_ path: String, _ code: Int32) -> ImageError {
    let reason = systemMessage(code)
    return ImageError(
      .unreadable, "the file cannot be read: \(reason)",
      remedy: code == EACCES || code == EPERM
        ? "Make the file readable (chmod u+r)" : "Check the path and the disk",
      subject: path)
  }
}
