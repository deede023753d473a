// SPDX-License-Identifier: Apache-2.0

/// The status of a file.
package struct FileStatus {
  package enum Kind { case file, folder, other }

  /// Device and number, which are equal for two names of one file.
  package struct Identity: Sendable, Hashable {
    let device: UInt64
    package let number: UInt64
  }

  package let kind: Kind
  package let identity: Identity
  package let size: Int
  /// The time of the last change, in nanoseconds since 1970.
  package let modified: Int
  /// The permissions to read, write and run it.
  package let permissions: mode_t

  /// Follows links; returns nil, with the reason in `errno`, if the path does not exist or must not be
  /// followed.
  package init?(_ path: FilePath) {
    var status = stat()
    guard unsafe stat(path.cString, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Describes a link itself instead of its target; returns nil if there is nothing, and `errno` has the
  /// reason.
  package init?(withoutFollowing path: FilePath) {
    var status = stat()
    guard unsafe lstat(path.cString, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns nil if the descriptor is not open.
  package init?(descriptor: Int32) {
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
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    modified = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
    permissions = status.st_mode & 0o777
  }
}
