// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostFolder {
  /// Copies the host into a new folder while it keeps serving.
  ///
  /// The copy is itself a host's folder: to restore it, copy it in the same way, or serve it directly. The
  /// database is copied as of one moment; the files, which never change, are hard-linked if the file system
  /// allows it, so that the copy takes little space. Each file is read completely first: a damaged file is
  /// left out and its version withdrawn in the copy, like a version that is withdrawn in the meantime.
  /// `host.json` is written last: an interrupted copy is not a host's folder. Files in a bucket stay there,
  /// and the copy names the same bucket, unless its client is given.
  /// - Parameters:
  ///   - path: An empty folder, or one that does not exist yet.
  ///   - bucket: The client of the bucket whose files are copied, too; nil by default.
  ///   - now: The current time.
  /// - Returns: The problems with the copy: damage to the database, each missing or damaged file, which the
  ///   copy does not contain, and each channel that points at another version as a result.
  /// - Throws: `folder` if the target is not empty or is within the folder of this host; `unavailable`,
  ///   `disk-full`.
  @discardableResult
  package func backUp(
    to path: String, filesOf bucket: S3Client? = nil, now: Now
  ) async throws(HostError) -> [FolderFault] {
    try checkOutside(path)
    // A wrong bucket must not leave a folder.
    if bucket != nil { _ = try await presentStore(in: bucket) }
    try Self.prepare(path)
    try await metadata.backUp(to: path + "/host.sqlite")
    try Self.copyFiles(of: keys, to: path + "/keys")
    let copy = try MetadataStore(path: path + "/host.sqlite")
    defer { copy.close() }
    let mark = try bucket == nil ? StoreMark.read(.bucket, in: self.path) : nil
    try mark?.write(.bucket, in: path)
    let target = try FolderBlobStore(folder: path)
    var files: BlobCopy?
    if bucket != nil {
      files = BlobCopy(
        source: try await presentStore(in: bucket, local: target), target: target, local: target)
    }
    // A backup copies pages unchanged.
    var faults = try await copy.problems().map { FolderFault($0) }
    for model in mark == nil ? try await copy.models() : [] {
      var left = model
      var isNamed = false
      for version in model.versions where version.isUsable {
        let fault =
          if let files {
            try await files.copy(version.sha256).fault
          } else {
            try await Self.link(version.sha256, blobs, target.places)
          }
        guard let fault else { continue }
        if try await isUsable(version.number, of: model) {
          faults.append(FolderFault(fault.text(version.number, of: model), isOfFile: true))
          isNamed = true
        }
        let entry = AuditEntry(
          time: now(), actor: "backup", action: "version.withdraw", project: model.project,
          model: model.name)
        do throws(HostError) {
          left = try await copy.change(project: model.project, id: model.id, entry: entry) {
            model throws(HostError) in
            try model.withdraw(version.number)
          }.model
        } catch  where error.code == .precondition {
          // An experiment assigns it to devices, so it is kept, although its file is missing here too.
        }
      }
      if isNamed { faults += Self.movedChannels(of: model, left, isCopy: true) }
    }
    try settings.write(path + "/host.json")
    return faults
  }

  /// Refuses a target within this folder: the copy would be lost with it.
  func checkOutside(_ target: String) throws(HostError) {
    // The copy does not exist yet: the nearest existing folder decides.
    var place = target
    while FileStatus(FilePath(place)) == nil, place != FilePath(place).parent {
      place = FilePath(place).parent
    }
    guard let own = try? FilePath.resolved(path), let found = try? FilePath.resolved(place),
      (found + "/").hasPrefix(own + "/")
    else { return }
    throw HostError(
      .folder, "\(target.printable) is within the folder of the host to copy",
      remedy: "Choose a folder outside of \(path.printable)")
  }

  /// Returns whether the host has not withdrawn a version since the database was read.
  func isUsable(_ number: Int, of model: HostModel) async throws(HostError) -> Bool {
    let present = try await metadata.models().first { $0.project == model.project && $0.id == model.id }
    return present?.versions.contains { $0.number == number && $0.isUsable } == true
  }

  /// Hard-links an intact blob into the copy.
  /// - Returns: The damage to a blob that was not linked; nil for an intact one.
  private static func link(
    _ sha256: String, _ blobs: FolderBlobStore, _ target: BlobPlaces
  ) async throws(HostError) -> BlobFault? {
    guard let new = target.blob(sha256) else { return .missing }
    guard FileStatus(FilePath(new.path)) == nil else { return nil }
    if let fault = try await blobs.fault(of: sha256) { return fault }
    guard let old = blobs.place(of: sha256) else { return .missing }
    do throws(SystemError) {
      if unsafe mkdir(new.folder, 0o700) != 0, errno != EEXIST { throw SystemError(errno) }
      try PrivateFile.link(old.path, to: new.path)
      try Folder.sync(new.folder)
      return nil
    } catch {
      guard error.number == ENOENT else { throw HostError(system: error) }
      return .missing
    }
  }

  /// Copies the files of a folder, also over those of an interrupted copy.
  static func copyFiles(of folder: String, to target: String) throws(HostError) {
    do throws(SystemError) {
      for name in try Folder.names(in: folder)
      where FileStatus(FilePath(folder + "/" + name))?.kind == .file {
        // Copies with separate bytes: keys are changed in place.
        unsafe unlink(target + "/" + name)
        try PrivateFile.copy(folder + "/" + name, to: target + "/" + name)
      }
      try Folder.sync(target)
    } catch {
      throw HostError(system: error)
    }
  }
}
#endif
