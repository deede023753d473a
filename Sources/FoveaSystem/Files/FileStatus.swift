// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the file system says of a path, links followed.
struct FileStatus {
  enum Kind { case file, folder, other }

  /// Device and number: the same for two names of one file.
  struct Identity: Hashable {
    let device: UInt64
    let number: UInt64
  }

  let kind: Kind
  let identity: Identity
  let size: Int
  /// Who may read, write and run it.
  let permissions: mode_t

  /// Nil where the path leads nowhere or may not be followed; `errno` tells.
  init?(_ path: FilePath) {
    var status = stat()
    guard unsafe stat(path.cString, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Nil for a descriptor that is not open.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    size = Int(status.st_size)
    permissions = status.st_mode & 0o777
  }
}

/// The system's words for an error number.
func systemMessage(_ number: Int32) -> String {
  // strerror may use a static buffer in theory; glibc's is per thread.
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}
