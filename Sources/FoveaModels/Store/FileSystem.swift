// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// The file system, as far as the store needs it, with errors that say what to do.
enum FileSystem {
  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws(ModelStoreError) {
    if unsafe mkdir(path, 0o755) == 0 || errno == EEXIST {
      guard isFolder(path) else { throw unwritable(path, "it is not a folder") }
      return
    }
    guard errno == ENOENT, let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex else {
      throw failure(errno, writing: path)
    }
    try makeFolder(String(path[..<slash]))
    guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure(errno, writing: path) }
  }

  /// The names in a folder, sorted, without hidden ones; none where there is no such folder.
  static func names(in folder: String) throws(ModelStoreError) -> [String] {
    guard let stream = unsafe opendir(folder) else {
      guard errno == ENOENT else { throw unreadable(folder, systemMessage(errno)) }
      return []
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The size of a regular file, links followed; nil for anything else.
  static func size(of path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Calls `body` with the file's bytes, some at a time; nil where there is no such file.
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
      let count = systemRead(descriptor, &chunk)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path, systemMessage(errno)) }
      guard count > 0 else { return true }
      try body(chunk.span.extracting(..<count))
    }
  }

  /// The bytes of a small file; nil where there is no such file.
  static func contents(of path: String, limit: Int) throws(ModelStoreError) -> [UInt8]? {
    var bytes: [UInt8] = []
    let isThere = try read(path) { (chunk) throws(ModelStoreError) in
      guard bytes.count + chunk.count <= limit else {
        throw unreadable(path, "it has more than \(limit) bytes")
      }
      for index in chunk.indices { bytes.append(chunk[index]) }
    }
    return isThere ? bytes : nil
  }

  /// Puts a small file in the place of another: a reader sees the old one or the new one, after a crash too.
  static func replace(_ path: String, with bytes: [UInt8]) throws(ModelStoreError) {
    let temporary = path + ".\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(errno, writing: path) }
    let number =
      writeAll(bytes.span, to: descriptor) ?? (fsync(descriptor) == 0 ? nil : errno)
    close(descriptor)
    do throws(ModelStoreError) {
      if let number { throw failure(number, writing: path) }
      try move(temporary, to: path)
    } catch {
      unsafe unlink(temporary)
      throw error
    }
  }

  /// Renames, which replaces a file that is there, and makes sure that the new name outlives a crash.
  static func move(_ path: String, to target: String) throws(ModelStoreError) {
    guard unsafe rename(path, target) == 0 else { throw failure(errno, writing: target) }
    guard let slash = target.lastIndex(of: "/") else { return }
    let folder = unsafe open(String(target[..<slash]), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard folder >= 0 else { return }
    // Not every file system can; then it is as durable as it gets.
    fsync(folder)
    close(folder)
  }

  /// Writes everything.
  /// - Returns: nil, or the error number.
  static func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32? {
    var written = 0
    while written < bytes.count {
      let count = systemWrite(descriptor, bytes.extracting(written...))
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        return count == 0 ? ENOSPC : errno
      }
    }
    return nil
  }

  /// Removes a file, or a folder with what is in it; links are removed, not followed.
  static func remove(_ path: String) throws(ModelStoreError) {
    if unsafe unlink(path) == 0 || errno == ENOENT { return }
    guard isFolder(path) else { throw failure(errno, writing: path) }
    var names = try names(in: path)
    if let hidden = try? hiddenNames(in: path) { names += hidden }
    for name in names { try remove(path + "/" + name) }
    guard unsafe rmdir(path) == 0 || errno == ENOENT else { throw failure(errno, writing: path) }
  }

  private static func hiddenNames(in folder: String) throws -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("."), name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// How many bytes this user may still write there; nil where the system does not tell.
  static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? nil : Int(clamping: bytes)
  }
}

extension FileSystem {
  /// The error for a failed write.
  static func failure(_ number: Int32, writing path: String) -> ModelStoreError {
    switch number {
    case ENOSPC, EDQUOT, EFBIG:
      ModelStoreError(
        .diskFull, "'\(path)' cannot be written: \(systemMessage(number))",
        remedy:
          "Free some space, or name another folder in FOVEA_MODELS; the next pull goes on where this one ended"
      )
    default: unwritable(path, systemMessage(number))
    }
  }

  static func unwritable(_ path: String, _ reason: String) -> ModelStoreError {
    ModelStoreError(
      .storeUnwritable, "'\(path)' cannot be written: \(reason)",
      remedy: "Check its permissions, or name another folder for models in FOVEA_MODELS")
  }

  static func unreadable(_ path: String, _ reason: String) -> ModelStoreError {
    ModelStoreError(
      .storeUnreadable, "'\(path)' cannot be read: \(reason)",
      remedy: "Check its permissions, or name another folder for models in FOVEA_MODELS")
  }
}

// Outside of the enumeration, whose own `read` would hide the system's.
private func systemRead(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
  unsafe read(descriptor, &chunk, chunk.count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: Span<UInt8>) -> Int {
  unsafe bytes.withUnsafeBufferPointer { unsafe write(descriptor, $0.baseAddress, $0.count) }
}
