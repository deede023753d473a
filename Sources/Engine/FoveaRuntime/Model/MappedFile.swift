// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A file's bytes, mapped read-only into memory as long as the object lives.
@safe
final class MappedFile: Sendable {
  // SAFETY: mapped read-only in init, unmapped in deinit, never written.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  /// Maps a file.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes; a larger file is an error.
  /// - Throws: `modelUnreadable` with the system's reason.
  init(path: String, limit: Int) throws(RuntimeError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.unreadable(path, Self.systemReason()) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.unreadable(path, Self.systemReason()) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Self.unreadable(path, "it is a folder")
    default: throw Self.unreadable(path, "it is not a regular file")
    }
    let size = Int(status.st_size)
    guard size > 0 else { throw Self.unreadable(path, "it is empty") }
    guard size <= limit else { throw Self.unreadable(path, "it has \(size) bytes; the limit is \(limit)") }
    let address = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw Self.unreadable(path, Self.systemReason())
    }
    unsafe bytes = UnsafeRawBufferPointer(start: address, count: size)
  }

  deinit {
    unsafe _ = munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  /// Allows the system to reclaim the memory; later reads load the bytes from the file again.
  func releasePages() {
    unsafe _ = madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
  }

  private static func systemReason() -> String { systemMessage(errno) }

  private static func unreadable(_ path: String, _ reason: String) -> RuntimeError {
    RuntimeError(
      .modelUnreadable, "Cannot read the model '\(path)': \(reason)",
      remedy: "Check the path and its permissions; a model is a .tflite file")
  }
}
