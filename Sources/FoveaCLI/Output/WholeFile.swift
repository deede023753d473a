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
  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(Failure) {
    let old = FileStatus(FilePath(path))
    let path = try old == nil ? path : target(of: path)
    let partial = PartialPath.beside(path)
    // Never open to more readers than the file was, not even while it is written.
    let descriptor = unsafe open(
      partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, old.map { $0.permissions | S_IWUSR } ?? 0o666)
    guard descriptor >= 0 else { throw Failure(number: errno) }
    var failure = Descriptor.write(bytes, to: descriptor).error ?? 0
    if failure == 0, let old, fchmod(descriptor, old.permissions) != 0 { failure = errno }
    if close(descriptor) != 0 && failure == 0 { failure = errno }
    if failure == 0, unsafe rename(partial, path) != 0 { failure = errno }
    guard failure == 0 else {
      unsafe unlink(partial)
      throw Failure(number: failure)
    }
  }

  /// The path of a file with every symbolic link followed.
  private static func target(of path: String) throws(Failure) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw Failure(number: errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Makes the folders that lead to a path.
  static func makeFolders(for path: String) throws(Failure) {
    var folder = ""
    for part in FilePath(path).parent.split(separator: "/", omittingEmptySubsequences: false) {
      folder += part + "/"
      guard part != "", part != "." else { continue }
      guard unsafe mkdir(folder, 0o777) != 0 else { continue }
      // Kept, because looking at the folder sets it anew.
      let number = errno
      if number != EEXIST && FileStatus(FilePath(folder)) == nil { throw Failure(number: number) }
    }
  }

  /// The content of a small file; nil where it is not there, cannot be read or is larger than `limit`.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard FileStatus(FilePath(path))?.kind == .file else { return nil }
    let file = InputPicture(source: .file(FilePath(path)), relativePath: path)
    return try? file.bytes(limit: limit, stop: StopSignal())
  }
}
