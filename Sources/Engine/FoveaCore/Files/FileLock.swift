// SPDX-License-Identifier: Apache-2.0

/// Advisory locks that keep two processes from writing one file.
///
/// The lock belongs to the open descriptor (`flock`): it ends with it, and with the process, however that ends. Nothing
/// stale is left. Where the file system knows no locks, as some network file systems do, files are written without one.
package enum FileLock {
  /// Opens a file for writing and locks it; what it holds stays unchanged.
  ///
  /// Devices and pipes are only opened: any number of processes may write to them.
  /// - Parameters:
  ///   - path: The file, made where it is missing.
  ///   - access: `O_WRONLY`, or `O_RDWR` to read what was written.
  ///   - permissions: Of a new file, before the process's mask.
  /// - Returns: The descriptor, which its owner closes, and whether the file is new.
  /// - Throws: `EWOULDBLOCK` where another process has the lock, and the system's other reasons.
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
      // Its last owner may have renamed or removed the file between the opening and the lock.
      // Where a file system has no stable numbers for files, that cannot be known.
      guard isNamed(descriptor, path) || attempt == 100 else {
        close(descriptor)
        continue
      }
      return (descriptor, isNew)
    }
  }

  /// Makes a file, opens it to read and write, and locks it.
  ///
  /// What has the name goes, unless a process has locked it.
  /// - Parameters:
  ///   - path: The file; a folder that has the name stays.
  ///   - permissions: Of the file, before the process's mask.
  /// - Returns: The descriptor, which its owner closes.
  /// - Throws: As `open`, and `EEXIST` for a name that stays taken.
  package static func openNew(_ path: String, permissions: mode_t) throws(SystemError) -> Int32 {
    var attempt = 0
    while true {
      attempt += 1
      // No process locks a link or a pipe, or what only another user may open.
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
      // As in `open`: another process may have removed it, or the file system has no stable numbers.
      if isNamed(descriptor, path) || attempt == 3 { return descriptor }
      close(descriptor)
    }
  }

  /// Opens a file as `open` does, to write it in place: no process may be about to replace it.
  /// - Throws: As `open`.
  package static func openInPlace(_ path: String) throws(SystemError) -> (descriptor: Int32, isNew: Bool) {
    let (descriptor, isNew) = try open(path)
    guard FileStatus(descriptor: descriptor)?.kind == .file else { return (descriptor, isNew) }
    do throws(SystemError) {
      // Another process's replacement; what a killed one left is not locked.
      if let other = try openExisting(PartialPath.of(FilePath.resolved(path))) { close(other) }
    } catch {
      if isNew, isNamed(descriptor, path) { unsafe unlink(path) }
      close(descriptor)
      throw error
    }
    return (descriptor, isNew)
  }

  /// Locks a file that is there; nothing is changed, and devices and pipes are left alone.
  /// - Returns: The descriptor, which its owner closes; nil where there is no file, or none that may be opened.
  /// - Throws: As `open`.
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
  /// - Returns: The descriptor, which its owner closes.
  /// - Throws: As `open`.
  package static func openFolder(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw SystemError(errno) }
    guard take(descriptor) else {
      close(descriptor)
      throw SystemError(EWOULDBLOCK)
    }
    return descriptor
  }

  /// Whether the path leads to the open file.
  package static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
    FileStatus(descriptor: descriptor)?.identity == FileStatus(FilePath(path))?.identity
  }

  /// Whether the lock is ours, or the file system knows none.
  private static func take(_ descriptor: Int32) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR else { return errno != EWOULDBLOCK }
    }
    return true
  }
}

// Outside of the enumeration, whose own `open` would hide the system's.
private func systemOpen(_ path: String, _ flags: Int32, _ permissions: mode_t) -> Int32 {
  unsafe open(path, flags, permissions)
}
