// SPDX-License-Identifier: Apache-2.0

/// One download into a store: lock, part, verification, and the new `current.json`.
struct ModelInstall: Sendable {
  let order: ModelOrder
  let store: ModelStore
  let settings: TransferSettings
  let progress: @Sendable (DownloadProgress) -> Void

  private var layout: StoreLayout { store.layout }

  /// Runs the download.
  /// - Returns: The model; the one that is there, where it is the same.
  func run() async throws(ModelStoreError) -> InstalledModel {
    try FileSystem.makeFolder(layout.partialFolder)
    let lock = try await StoreLock.acquire(layout.lock(order.partName)) {
      progress(DownloadProgress(phase: .waiting, bytesDone: 0, bytesTotal: order.byteCount))
    }
    // Where there are no locks, a part of our own cannot be harmed by others, nor continued.
    let suffix = lock == nil ? "-\(UInt64.random(in: 0...UInt64.max))" : ""
    let path = layout.part(order.partName + suffix)
    defer { if lock == nil { try? FileSystem.remove(path) } }
    let model = try await install(path, tagPath: lock == nil ? nil : layout.tag(order.partName))
    lock?.discard()
    return model
  }

  private func install(_ path: String, tagPath: String?) async throws(ModelStoreError) -> InstalledModel {
    let present = try await BlockingWork.run { _ in
      store.intactModel(named: order.name, sha256: order.sha256)
    }
    // The process that held the lock may have installed it already.
    if let present, present.sha256 == order.sha256 { return present }
    let part = try await BlockingWork.run { _ throws(ModelStoreError) in try PartFile(path: path) }
    guard let record = try await verified(part, tagPath: tagPath, present) else {
      try discard(part, tagPath)
      // Only a model that is there can be the same as another.
      guard let present else {
        throw store.origin.damaged(order.name, "it went away while the host was asked")
      }
      return present
    }
    guard !Task.isCancelled else { throw .cancelled }
    return try place(part, record, tagPath: tagPath)
  }

  // MARK: Fetching and verifying

  /// Fills the part and verifies it.
  /// - Returns: What to record; nil where the source has nothing else than `present`.
  private func verified(
    _ part: PartFile, tagPath: String?, _ present: InstalledModel?
  ) async throws(ModelStoreError) -> ModelRecord? {
    // A server cannot continue what is as long as the whole, or longer.
    if let total = order.byteCount, part.count > total { try part.restart() }
    var hasOldBytes = part.count > 0
    while true {
      guard let validator = try await fill(part, tagPath: tagPath, present) else { return nil }
      progress(DownloadProgress(phase: .verifying, bytesDone: part.count, bytesTotal: part.count))
      do throws(ModelStoreError) {
        let sha256 = try await BlockingWork.run { _ throws(ModelStoreError) in
          try verify(part, present)
        }
        return order.record(bytes: part.count, sha256: sha256, validator: validator)
      } catch {
        guard error.code == .wrongChecksum, hasOldBytes else {
          try discard(part, tagPath)
          throw error
        }
        // The old and the new bytes may be of different files: once more, from the beginning.
        try part.restart()
        hasOldBytes = false
      }
    }
  }

  /// Compares with the checksum where one is known, and checks that it is a model where none is.
  /// - Returns: The SHA-256.
  private func verify(_ part: PartFile, _ present: InstalledModel?) throws(ModelStoreError) -> String {
    let sha256 = try part.finish()
    guard let expected = order.sha256 else {
      if sha256 != present?.sha256 { try ModelContent.check(part.path, source: order.source) }
      return sha256
    }
    guard sha256 == expected else {
      throw ModelStoreError(
        .wrongChecksum,
        "What \(order.source) sent is not the model: its SHA-256 is \(sha256) instead of \(expected)",
        remedy:
          "Download it again later, or name another host with \(term: .modelHost); nothing was installed")
    }
    return sha256
  }

  /// Fetches what the part lacks.
  /// - Returns: How the source identifies the content; nil where it has nothing else than `present`.
  private func fill(
    _ part: PartFile, tagPath: String?, _ present: InstalledModel?
  ) async throws(ModelStoreError) -> HTTPValidator? {
    switch order.place {
    case .web(let address):
      if part.count > 0, part.count == order.byteCount { return HTTPValidator() }
      let filler = PartFiller(
        address: address, byteCount: order.byteCount, tagPath: tagPath,
        isChecksumKnown: order.sha256 != nil,
        unlessSame: present?.url == address.shown ? present?.validator : nil,
        settings: settings, folder: layout.partialFolder, root: layout.root, progress: progress)
      let answer = try await filler.fill(part)
      return answer.isUnchanged ? nil : answer.head.validator
    case .file(let path):
      if let tagPath { try FileSystem.remove(tagPath) }
      let copy = FileCopy(
        file: path, name: order.name, layout: layout, settings: settings, progress: progress)
      let isNew = try await BlockingWork.run { stop throws(ModelStoreError) in
        try copy.run(part, present, stop)
      }
      return isNew ? HTTPValidator() : nil
    }
  }

  // MARK: Installing

  /// Gives the verified file its place, then makes it the one in use.
  private func place(
    _ part: PartFile, _ found: ModelRecord, tagPath: String?
  ) throws(ModelStoreError) -> InstalledModel {
    var record = found
    // A record that cannot be read names no version that could be kept.
    if let before = try? store.record(of: order.name) {
      record.previous = before.version == record.version ? before.previous : before.version
    }
    let folder = layout.versionFolder(order.name, record.version)
    try FileSystem.makeFolder(folder)
    try FileSystem.move(part.path, to: folder + "/" + StoreLayout.modelFile)
    try FileSystem.replace(layout.record(order.name), with: record.json())
    if let tagPath { try FileSystem.remove(tagPath) }
    removeOlderVersions(keeping: [record.version, record.previous])
    return InstalledModel(record, name: order.name, layout: layout)
  }

  /// Keeps the version before the one in use, for those who have it open and for a way back.
  private func removeOlderVersions(keeping kept: [String?]) {
    // The model is there and in use; a version too many does no harm.
    guard let names = try? FileSystem.names(in: layout.folder(order.name)) else { return }
    for version in names
    where !kept.contains(version) && FileSystem.isFolder(layout.versionFolder(order.name, version)) {
      try? FileSystem.remove(layout.versionFolder(order.name, version))
    }
  }

  private func discard(_ part: PartFile, _ tagPath: String?) throws(ModelStoreError) {
    if let tagPath { try FileSystem.remove(tagPath) }
    try FileSystem.remove(part.path)
  }
}
