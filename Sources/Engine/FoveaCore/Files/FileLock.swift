// SPDX-License-Identifier: Apache-2.0

/// Advisory locks that keep two processes from writing one file.
///
/// The lock belongs to the open descriptor (`flock`): it ends with the descriptor, and with the process,
/// however that ends. No stale lock remains. On file systems without locks, such as some network file
/// systems, files are written without one.
package enum FileLock {
  /// Opens a file for writing and locks it; does not change its content.
  ///
  /// Devices and pipes are only opened: any number of processes may write to them.
  /// - Parameters:
  ///   - path: The file, created if it is missing.
  ///   - access: `O_WRONLY`, or `O_RDWR` to also read the file.
  ///   - permissions: The permissions of a new file, before the process's mask.
  /// - Returns: The descriptor, which the caller closes, and whether the file is new.
  /// - Throws: `EWOULDBLOCK` if another process holds the lock, and the system's other reasons.
  package static func open(
    _ path: String, access: Int32 = O_WRONLY, permissions: mode_t = 0o666
  ) throws(SystemError) -> (descriptor: Int32, isNew: Bool) {
    var attempt = 0
    while true {
      attempt += 1
      let isNew = FileStatus(FilePath(path)) == nil
      let descriptor = systemOpen(path, access | O_CREAT | O_CLOEXEC, permissions)
      guard descriptor >= 0 else { throw SystemError(errno) }
      guard FileStatus(descriptor: descriptor)?.kind == .file else { return (descriptor, isNew) }
      guard take(descriptor) else {
        close(descriptor)
        throw SystemError(EWOULDBLOCK)
      }
      // Its last owner may have renamed or removed the file between the opening and the lock. A file system
      // without stable file numbers cannot tell.
      guard isNamed(descriptor, path) || attempt == 100 else {
        close(descriptor)
        continue
      }
      return (descriptor, isNew)
    }
  }

  /// Creates a file, opens it to read and write, and locks it.
  ///
  /// An existing file of that name is removed, unless a process has locked it.
  /// - Parameters:
  ///   - path: The file; a folder with that name is kept.
  ///   - permissions: The permissions of the file, before the process's mask.
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: The errors of `open`, and `EEXIST` if the name cannot be freed.
  package static func openNew(_ path: String, permissions: mode_t) throws(SystemError) -> Int32 {
    var attempt = 0
    while true {
      attempt += 1
      // Links, pipes and files that only another user may open are never locked.
      let left: Int32? = try SymbolicLink.isLink(path) == true ? nil : openExisting(path)
      unsafe unlink(path)
      if let left { close(left) }
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let descriptor = systemOpen(path, flags, permissions)
      guard descriptor >= 0 else {
        if errno == EEXIST, attempt < 3 { continue }
        throw SystemError(errno)
      }
      guard take(descriptor) else {
        close(descriptor)
        throw SystemError(EWOULDBLOCK)
      }
      // As in `open`: another process may have removed it, or the file system has no stable file numbers.
      if isNamed(descriptor, path) || attempt == 3 { return descriptor }
      close(descriptor)
    }
  }

  /// Opens a file like `open`, to write it in place, unless another process is replacing it.
  /// - Throws: The errors of `open`.
  package static func openInPlace(_ path: String) throws(SystemError) -> (descriptor: Int32, isNew: Bool) {
    let (descriptor, isNew) = try open(path)
    guard FileStatus(descriptor: descriptor)?.kind == .file else { return (descriptor, isNew) }
    do throws(SystemError) {
      // Another process's partial file; one left by a killed process is not locked.
      if let other = try openExisting(PartialPath.of(FilePath.resolved(path))) { close(other) }
    } catch {
      if isNew, isNamed(descriptor, path) { unsafe unlink(path) }
      close(descriptor)
      throw error
    }
    return (descriptor, isNew)
  }

  /// Locks an existing file; changes nothing, and ignores devices and pipes.
  /// - Returns: The descriptor, which the caller closes; nil if there is no regular file, or it may not be
  ///   opened.
  /// - Throws: The errors of `open`.
  package static func openExisting(_ path: String) throws(SystemError) -> Int32? {
    for _ in 0..<100 {
      guard FileStatus(FilePath(path))?.kind == .file else { return nil }
      var descriptor = systemOpen(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0)
      if descriptor < 0 { descriptor = systemOpen(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0) }
      guard descriptor >= 0 else { return nil }
      guard take(descriptor) else {
        close(descriptor)
        throw SystemError(EWOULDBLOCK)
      }
      if isNamed(descriptor, path) { return descriptor }
      close(descriptor)
    }
    return nil
  }

  /// Locks a folder.
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: The errors of `open`.
  package static func openFolder(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw SystemError(errno) }
    guard take(descriptor) else {
      close(descriptor)
      throw SystemError(EWOULDBLOCK)
    }
    return descriptor
  }

  /// Unlocks a descriptor and closes it.
  ///
  /// A child that another thread starts at this moment has a copy of the descriptor until it runs its
  /// program: closing without unlocking would leave the lock to the child.
  package static func release(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Returns whether the path leads to the open file.
  package static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
    FileStatus(descriptor: descriptor)?.identity == FileStatus(FilePath(path))?.identity
  }

  /// Locks a descriptor; returns true even if the file system has no locks.
  private static func take(_ descriptor: Int32) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR else { return errno != EWOULDBLOCK }
    }
    return true
  }
}

// Outside the enumeration, whose own `open` would hide the system's.
private func systemOpen(_ path: String, _ flags: Int32, _ permissions: mode_t) -> Int32 {
  unsafe open(path, flags, permissions)
}
