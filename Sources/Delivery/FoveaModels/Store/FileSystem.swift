// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The store's file operations, with errors that name a remedy.
package enum FileSystem {
  /// Creates a folder and its parents.
  static func makeFolder(_ path: String) throws(ModelStoreError) {
    do throws(SystemError) { try Folder.make(leadingTo: path + "/.") } catch {
      throw failure(error.number, writing: path)
    }
    guard isFolder(path) else { throw unwritable(path, "it is not a folder") }
  }

  /// Returns the names in a folder, sorted, without hidden ones; empty if the folder does not exist.
  static func names(in folder: String) throws(ModelStoreError) -> [String] {
    do throws(SystemError) { return try Folder.names(in: folder).sorted() } catch {
      guard error.number == ENOENT else { throw unreadable(folder, error.message) }
      return []
    }
  }

  /// Returns the size of a regular file, following links; nil for anything else.
  static func size(of path: String) -> Int? {
    FileStatus(FilePath(path)).flatMap { $0.kind == .file ? $0.size : nil }
  }

  static func isFolder(_ path: String) -> Bool { FileStatus(FilePath(path))?.kind == .folder }

  static func exists(_ path: String) -> Bool { FileStatus(FilePath(path)) != nil }

  /// Calls `body` with the file's bytes in chunks; returns false if the file does not exist.
  static func read(
    _ path: String, _ body: (Span<UInt8>) throws(ModelStoreError) -> Void
  ) throws(ModelStoreError) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw unreadable(path, systemMessage(errno)) }
      return false
    }
    defer { close(descriptor) }
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = Descriptor.read(descriptor, into: &chunk)
      guard count >= 0 else { throw unreadable(path, systemMessage(Int32(-count))) }
      guard count > 0 else { return true }
      try body(chunk.span.extracting(..<count))
    }
  }

  /// Returns the bytes of a small file; nil if it does not exist.
  static func contents(of path: String, limit: Int) throws(ModelStoreError) -> [UInt8]? {
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: limit) } catch {
      switch error.number {
      case ENOENT, ENOTDIR: return nil
      case EFBIG: throw unreadable(path, "it has more than \(limit) bytes")
      default: throw unreadable(path, error.message)
      }
    }
  }

  /// Replaces a small file atomically: readers see the old or the new content, even after a crash.
  static func replace(_ path: String, with bytes: [UInt8]) throws(ModelStoreError) {
    do throws(SystemError) { try ReplacedFile.write(bytes, to: path) } catch {
      throw failure(error.number, writing: path)
    }
  }

  /// Renames a file, replacing an existing one, and makes sure that the new name survives a crash.
  static func move(_ path: String, to target: String) throws(ModelStoreError) {
    do throws(SystemError) { try ReplacedFile.move(path, to: target) } catch {
      throw failure(error.number, writing: target)
    }
  }

  /// Removes a file, or a folder with its content; links are removed, not followed.
  static func remove(_ path: String) throws(ModelStoreError) {
    if unsafe unlink(path) == 0 || errno == ENOENT { return }
    guard isFolder(path) else { throw failure(errno, writing: path) }
    var names: [[UInt8]] = []
    do throws(SystemError) {
      try Folder.forEach(in: FilePath(path)) { name, _ in names.append(name) }
    } catch {
      throw unreadable(path, error.message)
    }
    for name in names { try remove(path + "/" + String(decoding: name, as: UTF8.self)) }
    guard unsafe rmdir(path) == 0 || errno == ENOENT else { throw failure(errno, writing: path) }
  }

  /// Returns the number of bytes that this user can still write there; nil if the system does not report it.
  package static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? nil : Int(clamping: bytes)
  }
}

extension FileSystem {
  /// Maps a file and calls `body` with its bytes, without copying them; the file must not be truncated in the
  /// meantime.
  static func withBytes<Result>(
    of path: String, _ body: (Span<UInt8>) -> Result
  ) throws(ModelStoreError) -> Result {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, systemMessage(errno)) }
    defer { close(descriptor) }
    guard let count = size(of: path) else { throw unreadable(path, "it is not a file") }
    guard count > 0 else { return body([UInt8]().span) }
    let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw unreadable(path, systemMessage(errno))
    }
    defer { unsafe munmap(address, count) }
    // SAFETY: the mapping has `count` bytes, and ends after the span that `body` gets.
    let bytes = unsafe UnsafeRawBufferPointer(start: address, count: count).bindMemory(to: UInt8.self)
    return unsafe body(bytes.span)
  }

  /// Returns the SHA-256 of a file; nil if it does not exist.
  static func sha256(of path: String) throws(ModelStoreError) -> String? {
    let sum = FileDigest()
    let isThere = try read(path) { bytes throws(ModelStoreError) in sum.update(bytes) }
    return isThere ? sum.sum() : nil
  }
}

extension FileSystem {
  /// Returns the error for a failed write.
  static func failure(_ number: Int32, writing path: String) -> ModelStoreError {
    let error = SystemError(number)
    guard let first = error.spaceRemedy else { return unwritable(path, error.message) }
    return ModelStoreError(
      error.isFull ? .diskFull : .storeUnwritable, "'\(path)' cannot be written: \(error.message)",
      remedy:
        "\(first), or set FOVEA_MODELS to another folder; the next pull resumes where this one stopped")
  }

  static func unwritable(_ path: String, _ reason: String) -> ModelStoreError {
    ModelStoreError(
      .storeUnwritable, "'\(path)' cannot be written: \(reason)",
      remedy: "Check its permissions, or set FOVEA_MODELS to another folder")
  }

  static func unreadable(_ path: String, _ reason: String) -> ModelStoreError {
    ModelStoreError(
      .storeUnreadable, "'\(path)' cannot be read: \(reason)",
      remedy: "Check its permissions, or set FOVEA_MODELS to another folder")
  }
}
