// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The folder of a model host.
///
/// `host.json` has its settings, `host.sqlite` everything about models and keys, `blobs/sha256/aa/bb…` the files, `uploads/`
/// those that are under way, `keys/` the secrets. Only its owner may read it. One process at a time has it open.
package final class HostFolder: Sendable {
  package let path: String
  package let settings: HostSettings
  package let metadata: GRDBMetadataStore
  package let blobs: FolderBlobStore
  /// Negative where the folder is shared.
  private let lock: Int32

  /// Where the secrets are: `admin.json`, and what signs addresses.
  package var keys: String { path + "/keys" }

  /// Opens a folder for this process alone, or next to the process that serves it.
  /// - Parameters:
  ///   - path: The folder.
  ///   - isShared: Whether another process may have it open, false by default: for what only reads, as a copy does.
  /// - Throws: `folder` for a folder that is no host's, is of a newer layout, or is open in another process;
  ///   `unavailable`, `disk-full`.
  package init(_ path: String, isShared: Bool = false) throws(HostError) {
    self.path = path
    settings = try HostSettings.read(path + "/host.json")
    do throws(SystemError) { lock = try isShared ? -1 : FileLock.openFolder(path) } catch {
      guard error.isInUse else { throw HostError(system: error) }
      throw HostError(
        .folder, "Another process has the folder of this host open", remedy: "Stop that process first",
        subject: path)
    }
    do throws(HostError) {
      metadata = try GRDBMetadataStore(path: path + "/host.sqlite", creates: false)
      blobs = try FolderBlobStore(folder: path)
    } catch {
      if lock >= 0 { Descriptor.close(lock) }
      throw error
    }
  }

  deinit { close() }

  private func close() {
    metadata.close()
    if lock >= 0 { Descriptor.close(lock) }
  }

  /// Makes the folder of a new host.
  /// - Parameters:
  ///   - path: A folder that is empty or not there yet; those that lead to it are made.
  ///   - settings: What `host.json` is to say.
  /// - Throws: `folder` where it holds something; `unavailable`, `disk-full`.
  package static func create(_ path: String, settings: HostSettings) throws(HostError) {
    try prepare(path)
    try GRDBMetadataStore(path: path + "/host.sqlite").close()
    // Last: without it, the folder is no host's.
    try settings.write(path + "/host.json")
  }

  /// Makes an empty folder with room for files and secrets.
  static func prepare(_ path: String) throws(HostError) {
    do throws(SystemError) {
      try PrivateFile.makeFolder(path)
      for name in ["keys", "blobs", "blobs/sha256", "uploads"] {
        guard unsafe mkdir(path + "/" + name, 0o700) == 0 else { throw SystemError(errno) }
      }
      try Folder.sync(path)
    } catch {
      guard error.number == ENOTEMPTY || error.number == ENOTDIR || error.number == EEXIST else {
        throw HostError(system: error)
      }
      throw HostError(
        .folder, "\(path.printable) is not an empty folder",
        remedy: "Name a folder that is empty or not there yet")
    }
  }
}
#endif
