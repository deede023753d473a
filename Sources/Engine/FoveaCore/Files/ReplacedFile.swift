// SPDX-License-Identifier: Apache-2.0

/// A file that is written to a partial file next to it and renamed when it is complete.
///
/// A crash or a power failure at any moment leaves either the old file or the new one. The new file gets the
/// permissions of the one it replaces. If the path is a symbolic link, its target is replaced and the link
/// stays. A private file is readable only by its owner from its first byte, even if a readable file existed
/// before; it replaces even a link. While it is written, no other process writes or replaces the file. One
/// owner at a time may use it.
package final class ReplacedFile {
  /// The path that the caller gave.
  package let path: String
  /// The path of the content until it is complete.
  package let partialPath: String
  /// The descriptor to write to.
  package let descriptor: Int32
  /// The path with symbolic links followed.
  private let place: String
  /// The status of the existing file, whose permissions the new one gets.
  private let old: FileStatus?
  private let replaces: Bool
  private let isNew: Bool
  /// The lock against processes that write in place; nil if the caller holds it.
  private let target: TargetLock?
  private var isOpen = true
  private var hasBegun = false

  /// Opens and locks the file; an existing file stays unchanged.
  /// - Parameters:
  ///   - path: A regular file, or a free name in an existing folder.
  ///   - permissions: The permissions of a new file, before the process's mask.
  ///   - isPrivate: True for a file that only its owner may read and write; false by default.
  ///   - replaces: False for a file that must not replace another; true by default.
  ///   - isLocked: Whether the caller holds the lock of the existing file; false by default.
  /// - Throws: `EWOULDBLOCK` if another process writes the file, in place or to replace it, `EEXIST` if it
  ///   must not replace an existing file, `EISDIR` for a folder, `EINVAL` for a device or a pipe, and the
  ///   system's other reasons.
  package init(
    _ path: String, permissions: mode_t = 0o666, isPrivate: Bool = false, replaces: Bool = true,
    isLocked: Bool = false
  ) throws(SystemError) {
    self.path = path
    self.replaces = replaces
    old = isPrivate ? nil : FileStatus(FilePath(path))
    place = try isPrivate ? path : SymbolicLink.place(of: path)
    partialPath = PartialPath.of(place)
    try ReplacedFile.check(place, named: path, replaces)
    if isPrivate {
      // A reader that has an older one open must not see the new content.
      descriptor = try FileLock.openNew(partialPath, permissions: 0o600)
      isNew = true
    } else {
      // Even the partial file must not have more readers than the existing file.
      (descriptor, isNew) = try FileLock.open(
        partialPath, access: O_RDWR, permissions: old.map { $0.permissions | S_IWUSR } ?? permissions)
    }
    do throws(SystemError) { target = try isLocked ? nil : TargetLock(place) } catch {
      if isNew, FileLock.isNamed(descriptor, partialPath) { unsafe unlink(partialPath) }
      Descriptor.close(descriptor)
      throw error
    }
  }

  deinit { close() }

  /// Refuses the path of a folder, a device or a pipe, and with `replaces` false any existing name, even a
  /// broken link.
  private static func check(_ place: String, named path: String, _ replaces: Bool) throws(SystemError) {
    guard replaces || SymbolicLink.isLink(path) == nil else { throw SystemError(EEXIST) }
    // A private file replaces a link, wherever it leads.
    guard SymbolicLink.isLink(place) == false, let kind = FileStatus(FilePath(place))?.kind, kind != .file
    else { return }
    throw SystemError(kind == .folder ? EISDIR : EINVAL)
  }

  /// Writes a whole file at once; writes to a device or a pipe directly, unless the file is private.
  ///
  /// `isSynced` and `isCancelled` are those of `commit`.
  /// - Throws: The errors of `init` and `commit`; the old file is kept.
  package static func write(
    _ bytes: some Sequence<UInt8>, to path: String, permissions: mode_t = 0o666, isPrivate: Bool = false,
    replaces: Bool = true, isSynced: Bool = true, isCancelled: () -> Bool = { false }
  ) throws(SystemError) {
    if !isPrivate, replaces, FileStatus(FilePath(path))?.kind == .other {
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError(errno) }
      defer { Descriptor.close(descriptor) }
      if let number = Descriptor.write(bytes, to: descriptor).error { throw SystemError(number) }
      return
    }
    let file = try ReplacedFile(path, permissions: permissions, isPrivate: isPrivate, replaces: replaces)
    do throws(SystemError) {
      try file.write(bytes)
      try file.commit(isSynced: isSynced, isCancelled: isCancelled)
    } catch {
      file.discard()
      throw error
    }
  }

  /// Removes the content left by a killed process; the first `write` also does so.
  /// - Throws: The system's reason.
  package func begin() throws(SystemError) {
    guard !hasBegun else { return }
    hasBegun = true
    guard ftruncate(descriptor, 0) == 0 else { throw SystemError(errno) }
  }

  /// Appends bytes.
  /// - Throws: The system's reason, such as a full disk; some of the bytes may be written then.
  package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
    try begin()
    if let number = Descriptor.write(bytes, to: descriptor).error { throw SystemError(number) }
  }

  /// Prepares the partial file for a library that writes it by its path.
  ///
  /// The lock is released, because on some systems it would block the library.
  /// - Returns: The path of the empty file.
  /// - Throws: The system's reason.
  package func handOver() throws(SystemError) -> String {
    try begin()
    flock(descriptor, LOCK_UN)
    return partialPath
  }

  /// Renames the file once it is completely on the disk, and waits until the new name is, too.
  /// - Parameters:
  ///   - isSynced: False for a file that need not survive a power failure, which may leave it empty: nothing
  ///     waits for the disk. True by default.
  ///   - isCancelled: Called once, before the new file gets its name; true keeps the old file.
  /// - Throws: `EWOULDBLOCK` if another process has begun to write the file in the meantime, `EEXIST` if it
  ///   has created one that must not be replaced, `ECANCELED`, and the system's other reasons. The partial
  ///   file stays until `discard`. If syncing the folder fails, the file already has its name.
  package func commit(
    isSynced: Bool = true, isCancelled: () -> Bool = { false }
  ) throws(SystemError) {
    guard isOpen else { return }
    try begin()
    try target?.renew()
    if let old, fchmod(descriptor, old.permissions) != 0 { throw SystemError(errno) }
    if isSynced { try Descriptor.sync(descriptor) }
    if isCancelled() { throw SystemError(ECANCELED) }
    try ReplacedFile.check(place, named: place, replaces)
    if isSynced {
      try ReplacedFile.move(partialPath, to: place)
    } else if unsafe rename(partialPath, place) != 0 {
      throw SystemError(errno)
    }
    close()
  }

  /// Renames a file or folder that is on the disk, replacing a file, and waits until the new name is, too.
  /// - Throws: The system's reason.
  package static func move(_ path: String, to place: String) throws(SystemError) {
    try Folder.sync(FilePath(place).parent) { () throws(SystemError) in
      guard unsafe rename(path, place) == 0 else { throw SystemError(errno) }
    }
  }

  /// Discards the new file; the old file is kept.
  package func discard() {
    guard isOpen else { return }
    // While the lock is held, because the partial file of another process must not be removed.
    unsafe unlink(partialPath)
    close()
  }

  /// Commits the file and keeps it open: the lock moves to the caller with the descriptor.
  /// - Returns: A descriptor that the caller closes.
  /// - Throws: The errors of `commit`.
  package func commitKeepingLock() throws(SystemError) -> Int32 {
    let copy = dup(descriptor)
    guard copy >= 0 else { throw SystemError(errno) }
    do throws(SystemError) { try commit() } catch {
      Descriptor.close(copy)
      throw error
    }
    return copy
  }

  private func close() {
    guard isOpen else { return }
    isOpen = false
    if isNew, !hasBegun, FileLock.isNamed(descriptor, partialPath),
      FileStatus(descriptor: descriptor)?.size == 0
    {
      unsafe unlink(partialPath)
    }
    Descriptor.close(descriptor)
    target?.release()
  }
}
