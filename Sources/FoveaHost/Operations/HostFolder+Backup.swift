// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaSystem

  extension HostFolder {
    /// Copies the host into a new folder, while it goes on serving.
    ///
    /// The copy is the folder of a host itself: to restore it, copy it the same way, or serve it where it is. The database is
    /// copied as of one moment; the files, which never change, get a second name where the file system allows it, so that
    /// the copy takes little space. A version that is withdrawn meanwhile is withdrawn in the copy, too. `host.json` comes
    /// last: a copy that was broken off is no host's folder.
    /// - Parameters:
    ///   - path: A folder that is empty or not there yet.
    ///   - now: The present.
    /// - Throws: `folder` where it holds something; `unavailable`, `disk-full`.
    package func backUp(to path: String, now: Now) async throws(HostError) {
      try Self.prepare(path)
      try await metadata.backUp(to: path + "/host.sqlite")
      try link(keys, to: path + "/keys")
      let copy = try GRDBMetadataStore(path: path + "/host.sqlite")
      defer { copy.close() }
      let source = blobs
      let target = BlobPlaces(folder: path)
      for model in try await copy.models() {
        for version in model.versions where version.isUsable {
          let isThere = try await HostWork.run { () throws(HostError) in
            try Self.link(version.sha256, source.places, target)
          }
          guard !isThere else { continue }
          let entry = AuditEntry(
            time: now(), actor: "backup", action: "version.withdraw", project: model.project,
            model: model.name)
          try await copy.change(project: model.project, id: model.id, entry: entry) {
            model throws(HostError) in
            try model.withdraw(version.number)
          }
        }
      }
      try settings.write(path + "/host.json")
    }

    /// - Returns: Whether the blob was there.
    private static func link(
      _ sha256: String, _ source: BlobPlaces, _ target: BlobPlaces
    ) throws(HostError) -> Bool {
      guard let old = source.blob(sha256), let new = target.blob(sha256) else { return false }
      guard FileStatus(FilePath(new.path)) == nil else { return true }
      do throws(SystemError) {
        if unsafe mkdir(new.folder, 0o700) != 0, errno != EEXIST { throw SystemError(errno) }
        try PrivateFile.link(old.path, to: new.path)
        try FileSync.folder(new.folder)
        return true
      } catch {
        guard error.number == ENOENT else { throw HostError(system: error) }
        return false
      }
    }

    /// Copies the files of a folder.
    private func link(_ folder: String, to target: String) throws(HostError) {
      do throws(SystemError) {
        for name in try Folder.names(in: folder)
        where FileStatus(FilePath(folder + "/" + name))?.kind == .file {
          // Bytes of their own: keys are changed in place.
          try PrivateFile.copy(folder + "/" + name, to: target + "/" + name)
        }
        try FileSync.folder(target)
      } catch {
        throw HostError(system: error)
      }
    }
  }
#endif
