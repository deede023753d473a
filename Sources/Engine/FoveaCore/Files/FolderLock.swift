// SPDX-License-Identifier: Apache-2.0

/// A folder for results, locked against other processes that would write into it.
package final class FolderLock {
  private let descriptor: Int32
  /// The folders that were created, the innermost last; those that stay empty are removed.
  private let made: [String]

  /// Creates the folder if it is missing, with its parents, and locks it.
  /// - Throws: `EWOULDBLOCK` if another process holds the lock, and the system's other reasons; created
  ///   folders are removed.
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
    FileLock.release(descriptor)
  }

  private static func removeEmpty(_ folders: [String]) {
    // A folder with content is kept; one that is gone or renamed does not stop the removal of its parents.
    for folder in folders.reversed() where unsafe rmdir(folder) != 0 && errno != ENOENT { break }
  }
}
