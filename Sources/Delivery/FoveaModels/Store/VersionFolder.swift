// SPDX-License-Identifier: Apache-2.0

/// The versions of one model on the disk: which one is in use, and the one before it.
///
/// Each change is made under a lock that is held for a moment, so that an install, a way back and a removal that meet
/// leave one of their results, whole.
struct VersionFolder {
  let name: String
  let store: ModelStore

  private var layout: StoreLayout { store.layout }
  private var origin: ModelOrigin { store.origin }

  /// Gives a verified file its place, then makes it the one in use.
  /// - Parameters:
  ///   - part: The path of the file.
  ///   - found: What is known about it.
  /// - Returns: The model.
  /// - Throws: `diskFull`, `storeUnwritable`.
  func install(_ part: String, _ found: ModelRecord) throws(ModelStoreError) -> InstalledModel {
    try layout.alone(name) { () throws(ModelStoreError) in
      var record = found
      // A record that cannot be read names no version that could be kept.
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

  /// Adds to the record of the version in use what was learnt about it; nothing where another one is in use by now.
  /// - Returns: The model with that, where it is still in use.
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

  /// Makes the version before the one in use again.
  /// - Parameters:
  ///   - left: The SHA-256 of the version that is left; nil for the one in use.
  ///   - isKept: Whether the version that is left stays on the disk, as the way forward again.
  /// - Returns: The model in use now, and the one that was left.
  /// - Throws: `noPreviousVersion`, `notInstalled`; `damagedModel` where the version before is no longer what it was.
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
      // What the host has is known, and was left: it is not to be sent again.
      record.validator = present.validator
      try write(record)
      removeOlderVersions(keeping: [record.version, record.previous])
      return (InstalledModel(record, name: name, layout: layout), present)
    }
  }

  /// Removes all versions; a process that has one open keeps what it has.
  func remove() throws(ModelStoreError) {
    try layout.alone(name) { () throws(ModelStoreError) in
      guard FileSystem.exists(layout.folder(name)) else { return }
      // Out of the way first, in one step: half a model is never seen.
      let grave = layout.partialFolder + "/removed-\(UInt64.random(in: 0...UInt64.max))"
      try FileSystem.move(layout.folder(name), to: grave)
      try FileSystem.remove(grave)
    }
  }

  // MARK: Parts

  private func write(_ record: ModelRecord) throws(ModelStoreError) {
    try FileSystem.replace(layout.record(name), with: record.json())
  }

  /// The record of the version before, whose file is read where it is not as it was when it was verified.
  private func before(_ present: ModelRecord, _ version: String) throws(ModelStoreError) -> ModelRecord {
    let path = layout.versionFolder(name, version) + "/" + StoreLayout.modelFile
    guard let stamp = FileStamp(path) else { throw origin.damaged(name, "there is no file '\(path)'") }
    let former = present.former.flatMap { StoreLayout.version(sha256: $0.sha256) == version ? $0 : nil }
    guard former?.verified == stamp, let former else {
      guard let sha256 = try FileSystem.sha256(of: path), StoreLayout.version(sha256: sha256) == version,
        former?.sha256 ?? sha256 == sha256, stamp.bytes > 0
      else { throw origin.damaged(name, "'\(path)' is not what was written") }
      var record = ModelRecord(bytes: stamp.bytes, sha256: sha256, source: former?.source ?? present.source)
      (record.published, record.verified) = (former?.published, stamp)
      return record
    }
    var record = ModelRecord(bytes: former.bytes, sha256: former.sha256, source: former.source)
    (record.published, record.verified) = (former.published, stamp)
    return record
  }

  /// Keeps the version before the one in use, for those who have it open and for a way back.
  private func removeOlderVersions(keeping kept: [String?]) {
    // The model is there and in use; a version too many does no harm.
    guard let names = try? FileSystem.names(in: layout.folder(name)) else { return }
    for version in names
    where !kept.contains(version) && FileSystem.isFolder(layout.versionFolder(name, version)) {
      try? FileSystem.remove(layout.versionFolder(name, version))
    }
  }
}

extension ModelRecord {
  /// What is kept about this version when another one follows.
  fileprivate var asFormer: Former {
    Former(bytes: bytes, sha256: sha256, source: source, published: published, verified: verified)
  }
}
