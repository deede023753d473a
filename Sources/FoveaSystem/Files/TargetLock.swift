// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that is to be replaced, kept from the processes that write it in place.
///
/// What they write would go to a file that has lost its name.
final class TargetLock {
  private let path: String
  /// The file that was there; nil where there was none, or none that can be opened.
  private var descriptor: Int32?

  /// Locks the file where it is there.
  /// - Throws: The system's number: `EWOULDBLOCK` where another process writes the file.
  init(_ path: String) throws(WholeFile.Failure) {
    self.path = path
    try renew()
  }

  deinit { release() }

  /// Gives the file back before the lock itself goes.
  func release() {
    if let descriptor { close(descriptor) }
    descriptor = nil
  }

  /// Locks what has the name now, where that is another file than before.
  /// - Throws: As `init`.
  func renew() throws(WholeFile.Failure) {
    if let descriptor, FileLock.isNamed(descriptor, path) { return }
    let current = try FileLock.openExisting(path)
    if let descriptor { close(descriptor) }
    descriptor = current
  }
}
