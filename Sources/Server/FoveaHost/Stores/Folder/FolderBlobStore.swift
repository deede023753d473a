// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// A ``BlobStore`` in a folder: `blobs/sha256/aa/bb…`, and `uploads/` in the same file system.
package final class FolderBlobStore: BlobStore {
  let places: BlobPlaces
  let register = UploadRegister()
  /// Held while a blob gets or loses its name: a blob named again during collection must stay.
  private let names = Mutex(())

  package var folder: String { places.uploads }

  /// - Parameter folder: The host's folder; missing `blobs/sha256` and `uploads` are created in it.
  /// - Throws: `disk-full`, `unavailable`.
  package init(folder: String) throws(HostError) {
    places = BlobPlaces(folder: folder)
    do throws(SystemError) {
      for path in [folder + "/blobs", places.blobs, places.uploads] {
        guard unsafe mkdir(path, 0o700) != 0 else { continue }
        let number = errno
        guard number == EEXIST else { throw SystemError(number) }
      }
      try Folder.sync(folder + "/blobs")
      try Folder.sync(folder)
    } catch {
      throw HostError(system: error)
    }
  }

  package func upload(resuming name: String?) async throws(HostError) -> any BlobUpload {
    try await BlockingWork.run { [self] _ throws(HostError) -> any BlobUpload in try startUpload(name) }
  }

  package func upload(named name: String) async throws(HostError) -> any BlobUpload {
    try await BlockingWork.run { [self] _ throws(HostError) -> any BlobUpload in try startNewUpload(name) }
  }

  package func put(_ file: any Blob, _ sums: FinishedBlob) async throws(HostError) {
    try await BlockingWork.run { [self] stop throws(HostError) in
      let upload = try startUpload()
      do throws(HostError) {
        try upload.append(file) { stop.isSet }
        guard try upload.written().sha256 == sums.sha256 else { throw .changedFile }
        _ = try upload.nameBlob()
      } catch {
        upload.remove()
        throw error
      }
    }
  }

  package func location(of sha256: String) async throws(HostError) -> BlobLocation {
    .file(try await localCopy(of: sha256))
  }

  package func localCopy(of sha256: String) async throws(HostError) -> any Blob {
    try await BlockingWork.run { [self] _ throws(HostError) -> any Blob in try open(sha256) }
  }

  package func contains(_ sha256: String) async throws(HostError) -> Bool {
    await BlockingWork.run { [self] _ in place(of: sha256).flatMap { FileAge($0.path) } != nil }
  }

  package func remove(_ sha256: String) async throws(HostError) {
    try await BlockingWork.run { [self] _ throws(HostError) in try unlinkBlob(sha256) }
  }

  package func isIntact(_ sha256: String) async throws(HostError) -> Bool {
    try await BlockingWork.run { [self] _ throws(HostError) in
      let blob = try open(sha256)
      return try withExtendedLifetime(blob) { () throws(HostError) in
        try Self.sums(of: blob.file).finished.sha256 == sha256
      }
    }
  }

  /// Starts or resumes an upload; blocks.
  func startUpload(_ name: String? = nil) throws(HostError) -> FileUpload {
    if let name { return try resume(name) }
    return try startNewUpload(BlobPlaces.newUploadName())
  }

  /// Starts an upload with a name; blocks.
  func startNewUpload(_ name: String) throws(HostError) -> FileUpload {
    guard let path = places.upload(name) else { throw .noUpload }
    _ = try register.take(name)
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_EXCL)
    guard descriptor >= 0 else {
      let number = errno
      register.giveBack(name, nil)
      throw HostError(system: SystemError(number))
    }
    return FileUpload(
      name: name, path: path, descriptor: descriptor, sums: BlobSums(hasMD5: true), store: self)
  }

  private func resume(_ name: String) throws(HostError) -> FileUpload {
    guard let path = places.upload(name) else { throw .noUpload }
    let left = try register.take(name)
    let descriptor = systemOpen(path, O_RDWR)
    guard descriptor >= 0 else {
      let number = errno
      register.giveBack(name, nil)
      throw number == ENOENT ? .noUpload : HostError(system: SystemError(number))
    }
    do throws(HostError) {
      // Another process may have written in the meantime.
      let size = FileStatus(descriptor: descriptor)?.size
      let sums =
        if let left, Int64(size ?? -1) == left.size { left } else {
          try Self.sums(of: descriptor, hasMD5: true)
        }
      return FileUpload(name: name, path: path, descriptor: descriptor, sums: sums, store: self)
    } catch {
      Descriptor.close(descriptor)
      register.giveBack(name, nil)
      throw error
    }
  }

  /// Opens a blob; blocks.
  func open(_ sha256: String, isVerified: Bool = false) throws(HostError) -> FileBlob {
    guard let place = place(of: sha256) else {
      throw places.blob(sha256) == nil ? .noBlob : .notBlob(.link)
    }
    return try FileBlob(path: place.path, isVerified: isVerified)
  }

  private func unlinkBlob(_ sha256: String) throws(HostError) {
    guard let place = place(of: sha256) else { return }
    try names.withLock { _ throws(HostError) in
      guard unsafe unlink(place.path) == 0 else {
        let number = errno
        guard number == ENOENT || Self.isFolder(place.path) else {
          throw HostError(system: SystemError(number))
        }
        return
      }
      do throws(SystemError) { try Folder.sync(place.folder) } catch { throw HostError(system: error) }
    }
  }

  /// Returns the paths of a blob; nil if the name is not a SHA-256, or its folder is a link.
  func place(of sha256: String) -> (folder: String, path: String)? {
    guard let place = places.blob(sha256), !Self.isElsewhere(place.folder) else { return nil }
    return place
  }

  /// Returns whether a folder of blobs is a link, which may lead outside the host's folder, or another file.
  static func isElsewhere(_ folder: String) -> Bool {
    FileStatus(withoutFollowing: FilePath(folder)).map { $0.kind != .folder } ?? false
  }

  private static func isFolder(_ path: String) -> Bool {
    FileStatus(withoutFollowing: FilePath(path))?.kind == .folder
  }

  /// Renames a synced file to a blob, durably; something else with its name is replaced.
  /// - Throws: `ENOTDIR` if its folder is a link.
  func name(_ path: String, _ sha256: String) throws(SystemError) {
    guard let place = places.blob(sha256) else { throw SystemError(EINVAL) }
    guard !Self.isElsewhere(place.folder) else { throw SystemError(ENOTDIR) }
    try Failpoint.pass("blob.rename")
    if unsafe mkdir(place.folder, 0o700) == 0 {
      try Folder.sync(places.blobs)
    } else if errno != EEXIST {
      throw SystemError(errno)
    }
    try names.withLock { _ throws(SystemError) in
      // Also replaces a file with the same bytes, which may be old enough to be collected.
      if unsafe rename(path, place.path) == 0 { return }
      let number = errno
      // A folder that something else has made there is kept under another name, with its content.
      let aside = "\(place.path).\(BlobPlaces.newUploadName())"
      guard Self.isFolder(place.path), unsafe rename(place.path, aside) == 0,
        unsafe rename(path, place.path) == 0
      else { throw SystemError(number) }
    }
    try Failpoint.pass("blob.folder")
    try Folder.sync(place.folder)
    try Failpoint.pass("blob.done")
  }

  /// Removes a file for `collect` if it is still old enough.
  func removeOld(_ path: String, before time: Timestamp) -> Int64 {
    names.withLock { _ in
      guard let info = FileAge(path), info.changed < time, unsafe unlink(path) == 0 else { return 0 }
      return info.size
    }
  }

  private static func sums(of descriptor: Int32, hasMD5: Bool = false) throws(HostError) -> BlobSums {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw HostError(system: SystemError(errno)) }
    do throws(SystemError) { return try BlobSums.reading(descriptor, hasMD5: hasMD5) } catch {
      throw HostError(system: error)
    }
  }
}

// Outside the class, whose own `open` would hide the system's.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
  unsafe open(path, flags | O_CLOEXEC, 0o600)
}

extension HostError {
  static var changedFile: HostError {
    HostError(
      .corrupted, "A file of the host has changed while it was copied",
      remedy: "Find out which program writes to the host's folder, then try again")
  }

  static var noUpload: HostError {
    HostError(.notFound, "There is no such upload", remedy: "Start a new one")
  }
}
#endif
