// SPDX-License-Identifier: Apache-2.0

/// The versions of one model on disk: the current and the previous one.
///
/// Each change holds a short lock, so concurrent installs, rollbacks and removals leave one complete result.
struct VersionFolder {
  let name: String
  let store: ModelStore

  private var layout: StoreLayout { store.layout }
  private var origin: ModelOrigin { store.origin }

  /// Moves a verified file into place, then makes it the version in use.
  /// - Parameters:
  ///   - part: The path of the partial file.
  ///   - found: The record of the new version.
  /// - Returns: The model.
  /// - Throws: `diskFull`, `storeUnwritable`.
  func install(_ part: String, _ found: ModelRecord) throws(ModelStoreError) -> InstalledModel {
    try layout.alone(name) { () throws(ModelStoreError) in
      var record = found
      // An unreadable record names no version to keep.
      if let before = try? store.record(of: name) {
        if before.version == record.version {
          (record.previous, record.former) = (before.previous, before.former)
        } else {
          (record.previous, record.former) = (before.version, before.asFormer)
        }
      }
      let folder = layout.versionFolder(name, record.version)
      let path = folder + "/" + StoreLayout.modelFile
      try FileSystem.makeFolder(folder)
      try FileSystem.move(part, to: path)
      record.verified = FileStamp(path)
      try write(record)
      removeOlderVersions(keeping: [record.version, record.previous])
      return InstalledModel(record, name: name, layout: layout)
    }
  }

  /// Updates the record of the version in use; does nothing if another version is in use by now.
  /// - Returns: The updated model, if it is still in use.
  func update(
    _ sha256: String, _ change: (inout ModelRecord) -> Void
  ) throws(ModelStoreError) -> InstalledModel? {
    guard let present = try store.record(of: name), present.sha256 == sha256 else { return nil }
    var wanted = present
    change(&wanted)
    if wanted == present { return InstalledModel(present, name: name, layout: layout) }
    return try layout.alone(name) { () throws(ModelStoreError) in
      guard var record = try store.record(of: name), record.sha256 == sha256 else { return nil }
      change(&record)
      try write(record)
      return InstalledModel(record, name: name, layout: layout)
    }
  }

  /// Makes the previous version the current one.
  /// - Parameters:
  ///   - left: The SHA-256 of the version to abandon; nil for the current one.
  ///   - isKept: Whether the abandoned version stays on disk, so that it can be restored.
  /// - Returns: The model now in use, and the record of the abandoned one.
  /// - Throws: `noPreviousVersion`, `notInstalled`; `damagedModel` if the previous version has changed.
  func rollBack(
    _ left: String? = nil, isKept: Bool
  ) throws(ModelStoreError) -> (now: InstalledModel, left: ModelRecord) {
    guard FileSystem.exists(layout.folder(name)) else { throw origin.missing(name) }
    return try layout.alone(name) { () throws(ModelStoreError) in
      guard let present = try store.record(of: name) else { throw origin.missing(name) }
      guard left ?? present.sha256 == present.sha256, let version = present.previous else {
        throw origin.noPreviousVersion(name)
      }
      var record = try before(present, version)
      if isKept { (record.previous, record.former) = (present.version, present.asFormer) }
      // The host's content is known and was abandoned: it must not be sent again.
      record.validator = present.validator
      try write(record)
      removeOlderVersions(keeping: [record.version, record.previous])
      return (InstalledModel(record, name: name, layout: layout), present)
    }
  }

  /// Removes all versions; a process that has one open can go on using it.
  func remove() throws(ModelStoreError) {
    try layout.alone(name) { () throws(ModelStoreError) in
      guard FileSystem.exists(layout.folder(name)) else { return }
      // The folder is moved away first, in one step, so that no process sees half a model.
      let grave = layout.partialFolder + "/removed-\(UInt64.random(in: 0...UInt64.max))"
      try FileSystem.move(layout.folder(name), to: grave)
      try FileSystem.remove(grave)
    }
  }

  // MARK: Parts

  private func write(_ record: ModelRecord) throws(ModelStoreError) {
    try FileSystem.replace(layout.record(name), with: record.json())
  }

  /// Returns the record of the previous version; reads its file if it has changed since its verification.
  private func before(_ present: ModelRecord, _ version: String) throws(ModelStoreError) -> ModelRecord {
    let path = layout.versionFolder(name, version) + "/" + StoreLayout.modelFile
    guard let stamp = FileStamp(path) else { throw origin.damaged(name, "there is no file '\(path)'") }
    let former = present.former.flatMap { StoreLayout.version(sha256: $0.sha256) == version ? $0 : nil }
    guard former?.verified == stamp, let former else {
      guard let sha256 = try FileSystem.sha256(of: path), StoreLayout.version(sha256: sha256) == version,
        former?.sha256 ?? sha256 == sha256, stamp.bytes > 0
      else { throw origin.damaged(name, "'\(path)' is not as Fovea wrote it") }
      var record = ModelRecord(bytes: stamp.bytes, sha256: sha256, source: former?.source ?? present.source)
      (record.published, record.verified) = (former?.published, stamp)
      return record
    }
    var record = ModelRecord(bytes: former.bytes, sha256: former.sha256, source: former.source)
    (record.published, record.verified) = (former.published, stamp)
    return record
  }

  /// Removes all but the kept versions: the previous one may be open, and a rollback needs it.
  private func removeOlderVersions(keeping kept: [String?]) {
    // The model is installed and in use; an extra version does no harm.
    guard let names = try? FileSystem.names(in: layout.folder(name)) else { return }
    for version in names
    where !kept.contains(version) && FileSystem.isFolder(layout.versionFolder(name, version)) {
      try? FileSystem.remove(layout.versionFolder(name, version))
    }
  }
}

extension ModelRecord {
  /// The data to keep about this version after it is replaced.
  fileprivate var asFormer: Former {
    Former(bytes: bytes, sha256: sha256, source: source, published: published, verified: verified)
  }
}
