// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that are there whole or not at all, and the folders around them.
enum WholeFile {
  /// The system's number for what went wrong.
  struct Failure: Error {
    let number: Int32
  }

  /// Writes to a name beside the file first, so that a kill at any moment leaves the old file or the new one.
  ///
  /// A file that is there hands on its permissions; of a symbolic link the target is replaced, and the link stays.
  /// - Throws: The system's number: `EWOULDBLOCK` where another process is writing the file at this moment, in place or to
  ///   replace it.
  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(Failure) {
    let old = FileStatus(FilePath(path))
    let path = try old == nil ? path : target(of: path)
    let partial = PartialPath.beside(path)
    // Never open to more readers than the file was, not even while it is written.
    let (descriptor, _, target) = try FileLock.openPartial(
      for: path, permissions: old.map { $0.permissions | S_IWUSR } ?? 0o666)
    defer { withExtendedLifetime(target) {} }
    defer { close(descriptor) }
    // Left by a process that was killed.
    var failure = ftruncate(descriptor, 0) == 0 ? 0 : errno
    if failure == 0 { failure = Descriptor.write(bytes, to: descriptor).error ?? 0 }
    if failure == 0, let old, fchmod(descriptor, old.permissions) != 0 { failure = errno }
    if failure == 0 { failure = Descriptor.flush(descriptor) }
    if failure == 0, unsafe rename(partial, path) != 0 { failure = errno }
    guard failure == 0 else {
      unsafe unlink(partial)
      throw Failure(number: failure)
    }
  }

  /// The path of a file with every symbolic link followed.
  static func target(of path: String) throws(Failure) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw Failure(number: errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Makes the folders that lead to a path.
  /// - Returns: Those that were not there before, the innermost last.
  @discardableResult
  static func makeFolders(for path: String) throws(Failure) -> [String] {
    var made: [String] = []
    var folder = ""
    for part in FilePath(path).parent.split(separator: "/", omittingEmptySubsequences: false) {
      folder += part + "/"
      guard part != "", part != "." else { continue }
      guard unsafe mkdir(folder, 0o777) != 0 else {
        made.append(folder)
        continue
      }
      // Kept, because looking at the folder sets it anew.
      let number = errno
      if number != EEXIST && FileStatus(FilePath(folder)) == nil { throw Failure(number: number) }
    }
    return made
  }

  /// The system's number for what keeps a file from being made at a path, with the folders that lead to it; nil where
  /// nothing is known to.
  static func obstacle(to path: String) -> Int32? {
    var folder = FilePath(path).parent
    while FileStatus(FilePath(folder)) == nil, errno == ENOENT, folder != ".", folder != "/" {
      folder = FilePath(folder).parent
    }
    guard let status = FileStatus(FilePath(folder)) else { return errno }
    guard status.kind == .folder else { return ENOTDIR }
    return unsafe access(folder, W_OK | X_OK) == 0 ? nil : errno
  }

  /// The content of a small file; nil where it is not there, cannot be read or is larger than `limit`.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard FileStatus(FilePath(path))?.kind == .file else { return nil }
    let file = InputPicture(source: .file(FilePath(path)), relativePath: path)
    return try? file.bytes(limit: limit, stop: StopSignal())
  }
}
