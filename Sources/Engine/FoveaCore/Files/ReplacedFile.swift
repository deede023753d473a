// SPDX-License-Identifier: Apache-2.0

/// A file that is written next to its place and takes its name when it is whole.
///
/// A kill or a power failure at any moment leaves the old file or the new one. A file that is there hands on
/// its permissions; of a symbolic link the target is replaced, and the link stays. A private file belongs to
/// its owner only, from its first byte on and whatever was there; it replaces a link. While it is written, no
/// other process writes or replaces the file. One owner at a time uses it.
package final class ReplacedFile {
  /// The path as the caller named it.
  package let path: String
  /// Where the content stands until it is whole.
  package let partialPath: String
  /// Where to write.
  package let descriptor: Int32
  /// The path with symbolic links followed.
  private let place: String
  /// The file whose permissions the new one gets.
  private let old: FileStatus?
  private let replaces: Bool
  private let isNew: Bool
  /// Keeps those away who write in place; nil where the caller does so.
  private let target: TargetLock?
  private var isOpen = true
  private var hasBegun = false

  /// Opens and locks the file; what is there stays unchanged.
  /// - Parameters:
  ///   - path: A regular file, or a name that is free in a folder that exists.
  ///   - permissions: Of a file that is not there yet, before the process's mask.
  ///   - isPrivate: True for a file that only its owner may read and write; false by default.
  ///   - replaces: False for a file that must not take the place of another; true by default.
  ///   - isLocked: Whether the caller has the lock of the file that is there; false by default.
  /// - Throws: `EWOULDBLOCK` if another process writes the file, in place or to replace it, `EEXIST` if it
  ///   must not replace what has the name, `EISDIR` for a folder, `EINVAL` for a device or a pipe, and the
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
      // A reader who has an older one open must not see what is written now.
      descriptor = try FileLock.openNew(partialPath, permissions: 0o600)
      isNew = true
    } else {
      // Never open to more readers than the file was, not even while it is written.
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

  /// Refuses the place of a folder, a device or a pipe, and a name that even a link to nothing has.
  private static func check(_ place: String, named path: String, _ replaces: Bool) throws(SystemError) {
    guard replaces || SymbolicLink.isLink(path) == nil else { throw SystemError(EEXIST) }
    // A private file replaces a link, wherever that leads.
    guard SymbolicLink.isLink(place) == false, let kind = FileStatus(FilePath(place))?.kind, kind != .file
    else { return }
    throw SystemError(kind == .folder ? EISDIR : EINVAL)
  }

  /// Writes a whole file at once; a device or a pipe is written to and stays, unless the file is private.
  /// - Throws: As `init` and `commit`; the old file stays.
  package static func write(
    _ bytes: some Sequence<UInt8>, to path: String, permissions: mode_t = 0o666, isPrivate: Bool = false,
    replaces: Bool = true
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
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }

  /// Removes what a process that was killed has left; the first `write` does so, too.
  /// - Throws: The system's reason.
  package func begin() throws(SystemError) {
    guard !hasBegun else { return }
    hasBegun = true
    guard ftruncate(descriptor, 0) == 0 else { throw SystemError(errno) }
  }

  /// Adds bytes.
  /// - Throws: The system's reason, such as a full disk; some of the bytes may be there then.
  package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
    try begin()
    if let number = Descriptor.write(bytes, to: descriptor).error { throw SystemError(number) }
  }

  /// Hands the file to a library that writes it by its path.
  ///
  /// The lock is given up, because some systems would hold it against the library.
  /// - Returns: The path, at which the file is empty.
  /// - Throws: The system's reason.
  package func handOver() throws(SystemError) -> String {
    try begin()
    flock(descriptor, LOCK_UN)
    return partialPath
  }

  /// Gives the file its name, when all of it is on the disk, and waits until the name is, too.
  /// - Throws: `EWOULDBLOCK` or `EEXIST` if another process has begun or made a file of that name meanwhile,
  ///   and the system's other reasons. The partial file stays until `discard`. After a failed sync of the
  ///   folder, the file has its name.
  package func commit() throws(SystemError) {
    guard isOpen else { return }
    try begin()
    try target?.renew()
    if let old, fchmod(descriptor, old.permissions) != 0 { throw SystemError(errno) }
    try Descriptor.sync(descriptor)
    try ReplacedFile.check(place, named: place, replaces)
    try ReplacedFile.move(partialPath, to: place)
    close()
  }

  /// Renames a file or folder that is on the disk, replacing a file, and waits until the name is, too.
  /// - Throws: The system's reason.
  package static func move(_ path: String, to place: String) throws(SystemError) {
    try Folder.sync(FilePath(place).parent) { () throws(SystemError) in
      guard unsafe rename(path, place) == 0 else { throw SystemError(errno) }
    }
  }

  /// Gives up: the old file stays, and nothing of the new one.
  package func discard() {
    guard isOpen else { return }
    // While the lock is held: what another process makes of that name is not ours.
    unsafe unlink(partialPath)
    close()
  }

  /// Goes on in the file itself, which has its name now: the lock moves to the caller with the descriptor.
  /// - Returns: A descriptor that the caller closes.
  /// - Throws: As `commit`.
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
