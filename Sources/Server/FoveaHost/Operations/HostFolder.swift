// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The folder of a model host.
///
/// `host.json` contains its settings, `host.sqlite`, or the database that `database.json` names, all data
/// about models and keys, `blobs/sha256/aa/bb…` the files, `uploads/` those in progress, `keys/` the secrets.
/// Only its owner can read it. One process at a time has it open.
package final class HostFolder: Sendable {
  package let path: String
  package let settings: HostSettings
  package let metadata: MetadataStore
  package let blobs: FolderBlobStore
  /// Negative if the folder is shared.
  private let lock: Int32

  /// The folder of the secrets: `admin.json`, and the ring that signs URLs.
  package var keys: String { path + "/keys" }

  /// Opens a folder exclusively for this process, or next to the process that serves it.
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - isShared: Whether another process may have it open, false by default: for operations that only read,
  ///     such as a copy.
  ///   - address: The database of its metadata; nil for the one to which they were moved, or `host.sqlite`.
  ///   - isNode: True to serve next to other hosts of the same database, false by default; the files must not
  ///     be in this folder.
  ///   - mayMove: True to move metadata from the folder to `address`, false by default: only a host that is
  ///     about to serve moves its data.
  /// - Throws: `folder` if it does not belong to a host, has a newer layout, is open in another process, or
  ///   its metadata would have to be moved; `unavailable`, `disk-full`.
  package init(
    _ path: String, isShared: Bool = false, metadata address: PostgresAddress? = nil, isNode: Bool = false,
    mayMove: Bool = false
  ) throws(HostError) {
    self.path = path
    settings = try HostSettings.read(path + "/host.json")
    do throws(SystemError) { lock = try isShared ? -1 : FileLock.openFolder(path) } catch {
      guard error.isInUse else { throw HostError(system: error) }
      throw HostError(
        .folder, "Another process has the folder of this host open", remedy: "Stop that process first",
        subject: path)
    }
    do throws(HostError) {
      metadata = try Self.metadata(
        of: path, at: address, isShared ? .aside : isNode ? .among : .alone, mayMove: mayMove)
      blobs = try FolderBlobStore(folder: path)
    } catch {
      if lock >= 0 { FileLock.release(lock) }
      throw error
    }
  }

  deinit { close() }

  private func close() {
    metadata.close()
    if lock >= 0 { FileLock.release(lock) }
  }

  private static func metadata(
    of path: String, at address: PostgresAddress?, _ use: PostgresDatabase.Use, mayMove: Bool
  ) throws(HostError) -> MetadataStore {
    let file = path + "/host.sqlite"
    let present = try StoreMark.read(.database, in: path)
    var place = address
    if place == nil, let present, present.isComplete { place = try PostgresAddress(present.address) }
    guard let place else { return try MetadataStore(path: file, creates: false) }
    guard mayMove || present?.isComplete == true else {
      throw HostError(
        .folder, "The metadata of this host are in its folder", remedy: "Leave out \(flag: "metadata")",
        subject: path)
    }
    var mark = present ?? StoreMark(address: place.text, id: Hexadecimal.random(byteCount: 16))
    // The folder has the id first: a start that is interrupted here can be repeated.
    if present == nil { try mark.write(.database, in: path) }
    let store = try MetadataStore(place, of: mark, use, file: file)
    guard mayMove, !mark.isComplete || mark.address != place.text else { return store }
    (mark.address, mark.isComplete) = (place.text, true)
    try mark.write(.database, in: path)
    return store
  }

  /// Creates the folder of a new host without its `host.json`, which is to be written last: until then, the
  /// folder does not belong to a host.
  /// - Parameter path: An empty folder, or one that does not exist yet; missing parent folders are created.
  /// - Returns: The database, which is empty.
  /// - Throws: `folder` if it is not empty; `unavailable`, `disk-full`.
  package static func create(_ path: String) throws(HostError) -> MetadataStore {
    try prepare(path)
    return try MetadataStore(path: path + "/host.sqlite")
  }

  /// Creates an empty folder with subfolders for files and secrets.
  static func prepare(_ path: String) throws(HostError) {
    try makeEmpty(path)
    do throws(SystemError) {
      for name in ["keys", "blobs", "blobs/sha256", "uploads"] {
        guard unsafe mkdir(path + "/" + name, 0o700) == 0 else { throw SystemError(errno) }
      }
      try Folder.sync(path)
    } catch {
      throw HostError(system: error)
    }
  }

  /// Creates an empty folder.
  /// - Throws: `folder` if it is not empty; `unavailable` if it cannot be created, `disk-full`.
  static func makeEmpty(_ path: String) throws(HostError) {
    do throws(SystemError) { try PrivateFile.makeFolder(path) } catch {
      guard error.number == ENOTEMPTY || error.number == ENOTDIR || error.number == EEXIST else {
        guard !error.isFull else { throw HostError(system: error) }
        throw HostError(
          .unavailable, "The folder \(path.printable) cannot be created or opened: \(error.message)",
          remedy: "Choose another folder, or check the permissions of the one above it", cause: error)
      }
      if isUnfinished(path) {
        throw HostError(
          .folder, "\(path.printable) holds a host that an interrupted command did not complete",
          remedy: "Remove the folder, or choose another one")
      }
      throw HostError(
        .folder, "\(path.printable) is not an empty folder",
        remedy: "Choose an empty or new folder")
    }
  }

  /// Whether a folder has the subfolders of a host, but no settings.
  static func isUnfinished(_ path: String) -> Bool {
    FileStatus(FilePath(path + "/host.json")) == nil
      && ["keys", "blobs", "uploads"].allSatisfy { FileStatus(FilePath("\(path)/\($0)"))?.kind == .folder }
  }
}
#endif
