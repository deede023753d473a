// SPDX-License-Identifier: Apache-2.0

/// A folder for results, kept from other processes that would write into it.
package final class FolderLock {
  private let descriptor: Int32
  /// The folders that were made, the innermost last; those that stay empty go again.
  private let made: [String]

  /// Makes the folder where it is missing, with those that lead to it, and locks it.
  /// - Throws: `EWOULDBLOCK` where another process has the lock, and the system's other reasons; no folder is left then.
  package init(_ path: String) throws(SystemError) {
    let made = try Folder.make(leadingTo: FilePath.joined(path, "file"))
    do throws(SystemError) {
      let descriptor = try FileLock.openFolder(path)
      guard unsafe access(path, W_OK | X_OK) == 0 else {
        let number = errno
        close(descriptor)
        throw SystemError(number)
      }
      self.descriptor = descriptor
      self.made = made
    } catch {
      Self.removeEmpty(made)
      throw error
    }
  }

  deinit {
    Self.removeEmpty(made)
    close(descriptor)
  }

  private static func removeEmpty(_ folders: [String]) {
    // A folder that holds something stays; one that is gone, or has another name by now, does not keep those above.
    for folder in folders.reversed() where unsafe rmdir(folder) != 0 && errno != ENOENT { break }
  }
}
