// SPDX-License-Identifier: Apache-2.0

/// Lists, creates and syncs folders.
package enum Folder {
  /// The kind of an entry, as stored in the folder.
  package enum Entry: Sendable {
    case file, folder, other
    /// A symbolic link, or an entry of unknown kind; `FileStatus` resolves it.
    case unknown
  }

  /// Calls `body` with each entry's name, in no order; skips "." and "..".
  /// - Throws: The system's reason if the folder cannot be opened or read to its end.
  package static func forEach(
    in folder: FilePath, _ body: (_ name: [UInt8], _ entry: Entry) -> Void
  ) throws(SystemError) {
    guard let stream = unsafe opendir(folder.cString) else { throw SystemError(errno) }
    defer { unsafe closedir(stream) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe Folder.name(of: entry)
      if name != [0x2E], name != [0x2E, 0x2E] { body(name, unsafe kind(of: entry)) }
    }
    // A folder that cannot be read to its end must not look like a shorter one.
    guard errno == 0 else { throw SystemError(errno) }
  }

  /// Returns whether a name is hidden: it begins with a dot, such as `.thumbnails` and macOS's `._photo.jpg`.
  package static func isHidden(_ name: [UInt8]) -> Bool { name.first == UInt8(ascii: ".") }

  /// Returns the names in a folder without hidden ones, in no order.
  /// - Throws: The errors of `forEach`.
  package static func names(in folder: String) throws(SystemError) -> [String] {
    var names: [String] = []
    try forEach(in: FilePath(folder)) { name, _ in
      if !isHidden(name) { names.append(String(decoding: name, as: UTF8.self)) }
    }
    return names
  }

  /// Creates the folders that lead to a path.
  /// - Returns: The folders created, the innermost last.
  /// - Throws: The system's reason.
  @discardableResult
  package static func make(leadingTo path: String) throws(SystemError) -> [String] {
    var made: [String] = []
    var folder = ""
    for part in FilePath(path).parent.split(separator: "/", omittingEmptySubsequences: false) {
      folder += part + "/"
      guard part != "", part != "." else { continue }
      guard unsafe mkdir(folder, 0o777) != 0 else {
        made.append(folder)
        continue
      }
      // Saved, because the next call sets it again.
      let number = errno
      if number != EEXIST && FileStatus(FilePath(folder)) == nil { throw SystemError(number) }
    }
    return made
  }

  /// Returns the known reason why a file cannot be created at a path, including its folders; nil if there is
  /// none.
  package static func obstacle(to path: String) -> SystemError? {
    var folder = FilePath(path).parent
    while FileStatus(FilePath(folder)) == nil, errno == ENOENT, folder != ".", folder != "/" {
      folder = FilePath(folder).parent
    }
    guard let status = FileStatus(FilePath(folder)) else { return SystemError(errno) }
    guard status.kind == .folder else { return SystemError(ENOTDIR) }
    return unsafe access(folder, W_OK | X_OK) == 0 ? nil : SystemError(errno)
  }

  /// Waits until the names in a folder are on the disk, so that they survive a crash.
  ///
  /// Does nothing if the file system does not support it, or if the folder may be written but not opened.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - change: Changes the names; not called if the folder cannot be opened.
  /// - Throws: The errors of `change`, and the system's reason, such as a failing disk.
  package static func sync(
    _ folder: String, after change: () throws(SystemError) -> Void = {}
  ) throws(SystemError) {
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 || errno == EACCES else { throw SystemError(errno) }
    defer { if descriptor >= 0 { close(descriptor) } }
    try change()
    if descriptor >= 0 { try Descriptor.sync(descriptor) }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    // SAFETY: the name ends with a zero inside the record; the field's declared length is only its upper
    // bound.
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
      let length = unsafe strlen(UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
      return unsafe [UInt8](UnsafeRawBufferPointer(start: field, count: length))
    }
  }

  private static func kind(of entry: UnsafeMutablePointer<dirent>) -> Entry {
    switch unsafe Int32(entry.pointee.d_type) {
    case Int32(DT_DIR): .folder
    case Int32(DT_REG): .file
    case Int32(DT_LNK), Int32(DT_UNKNOWN): .unknown
    default: .other
    }
  }
}
