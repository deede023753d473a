// SPDX-License-Identifier: Apache-2.0

/// A file that is to be replaced, kept from the processes that write it in place.
///
/// What they write would go to a file that has lost its name.
package final class TargetLock {
  private let path: String
  /// The file that was there; nil where there was none, or none that can be opened.
  private var descriptor: Int32?

  /// Locks the file where it is there.
  /// - Throws: `EWOULDBLOCK` where another process writes the file.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    try renew()
  }

  deinit { release() }

  /// Gives the file back before the lock itself goes.
  package func release() {
    if let descriptor { close(descriptor) }
    descriptor = nil
  }

  /// Locks what has the name now, where that is another file than before.
  /// - Throws: As `init`.
  package func renew() throws(SystemError) {
    if let descriptor, FileLock.isNamed(descriptor, path) { return }
    let current = try FileLock.openExisting(path)
    if let descriptor { close(descriptor) }
    descriptor = current
  }
}
