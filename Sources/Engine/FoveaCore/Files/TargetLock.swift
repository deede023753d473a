// SPDX-License-Identifier: Apache-2.0

/// A lock on a file to be replaced, against processes that write it in place.
///
/// Their output would go to a file that has lost its name.
package final class TargetLock {
  private let path: String
  /// The descriptor of the existing file; nil if there is none, or it cannot be opened.
  private var descriptor: Int32?

  /// Locks the file if it exists.
  /// - Throws: `EWOULDBLOCK` if another process writes the file.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    try renew()
  }

  deinit { release() }

  /// Releases the lock early.
  package func release() {
    if let descriptor { close(descriptor) }
    descriptor = nil
  }

  /// Locks the file that now has the name, if another file has replaced the previous one.
  /// - Throws: The errors of `init`.
  package func renew() throws(SystemError) {
    if let descriptor, FileLock.isNamed(descriptor, path) { return }
    let current = try FileLock.openExisting(path)
    if let descriptor { close(descriptor) }
    descriptor = current
  }
}
