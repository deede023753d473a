// SPDX-License-Identifier: Apache-2.0

/// A folder of files that is written next to its path and renamed when it is complete.
///
/// A folder with files is renamed before it is replaced: a crash at that very moment leaves it under a name
/// with the suffix ".replaced", and the next owner of the path restores it. Only one process writes at a
/// time.
package final class ReplacedFolder {
  /// The path of the files until all are written.
  package let partialPath: String
  /// The path with symbolic links followed.
  private let place: String
  private let lock: FolderLock
  private var written: Set<String> = []
  private var isOpen = true

  /// The path of the old folder between the two renames.
  private var oldPath: String { place + ".replaced" }

  /// Creates and locks the folder next to the path, with its parents.
  /// - Throws: `EWOULDBLOCK` if another process writes the folder, `EINVAL` for a path that ends in "." or
  ///   "..", and the system's other reasons.
  package init(_ path: String) throws(SystemError) {
    let name = FilePath(path).lastComponent
    guard !name.isEmpty, name != ".", name != ".." else { throw SystemError(EINVAL) }
    var path = path[...]
    while path.hasSuffix("/") { path.removeLast() }
    place = try SymbolicLink.place(of: String(path))
    partialPath = PartialPath.of(place)
    lock = try FolderLock(partialPath)
    if FileStatus(FilePath(place)) == nil, errno == ENOENT { unsafe _ = rename(oldPath, place) }
    // Left by a killed process.
    try Self.remove(Self.names(in: partialPath), in: partialPath)
  }

  deinit { discard() }

  /// Adds a file.
  /// - Throws: The system's reason.
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws(SystemError) {
    written.insert(name)
    try ReplacedFile.write(bytes, to: FilePath.joined(partialPath, name))
  }

  /// Renames the folder once it is completely on the disk.
  /// - Parameter names: The files that an existing folder may contain and that are removed with it; if empty,
  ///   only an empty folder is replaced.
  /// - Throws: `ENOTEMPTY` if it contains other files, and the system's other reasons; the existing folder
  ///   stays.
  package func commit(replacing names: Set<String> = []) throws(SystemError) {
    guard isOpen else { return }
    try Folder.sync(partialPath)
    try Folder.sync(FilePath(place).parent) { () throws(SystemError) in
      if unsafe rename(partialPath, place) != 0 {
        guard errno == ENOTEMPTY || errno == EEXIST else { throw SystemError(errno) }
        guard try names.isSuperset(of: Self.names(in: place)) else { throw SystemError(ENOTEMPTY) }
        try replace(names)
      }
      isOpen = false
    }
  }

  private func replace(_ names: Set<String>) throws(SystemError) {
    // Left by a process that was killed after its folder was complete.
    if FileStatus(FilePath(oldPath)) != nil { try Self.remove(names, in: oldPath) }
    guard unsafe rmdir(oldPath) == 0 || errno == ENOENT, unsafe rename(place, oldPath) == 0 else {
      throw SystemError(errno)
    }
    guard unsafe rename(partialPath, place) == 0 else {
      let number = errno
      unsafe _ = rename(oldPath, place)
      throw SystemError(number)
    }
    // Files added by others in the meantime are kept, under the old folder's new name.
    try Self.remove(names, in: oldPath)
    unsafe rmdir(oldPath)
  }

  /// Discards the new folder; an existing one is kept.
  package func discard() {
    guard isOpen else { return }
    isOpen = false
    for name in written { unsafe unlink(FilePath.joined(partialPath, name)) }
    unsafe rmdir(partialPath)
  }

  /// Returns all names in a folder, including hidden ones.
  private static func names(in folder: String) throws(SystemError) -> Set<String> {
    var names: Set<String> = []
    try Folder.forEach(in: FilePath(folder)) { name, _ in
      names.insert(String(decoding: name, as: UTF8.self))
    }
    return names
  }

  private static func remove(_ names: Set<String>, in folder: String) throws(SystemError) {
    for name in names where unsafe unlink(FilePath.joined(folder, name)) != 0 && errno != ENOENT {
      throw SystemError(errno)
    }
  }
}
