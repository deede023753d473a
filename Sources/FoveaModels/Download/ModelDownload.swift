// SPDX-License-Identifier: Apache-2.0

/// One download, from the lock to the new `current.json`.
struct ModelDownload {
  let plan: DownloadPlan
  let downloader: ModelDownloader
  let progress: @Sendable (DownloadProgress) -> Void

  private var layout: StoreLayout { downloader.store.layout }
  private var entry: CatalogueEntry { plan.entry }

  func run() async throws(ModelStoreError) -> InstalledModel {
    if let installed = plan.installed { return installed }
    try FileSystem.makeFolder(layout.partialFolder)
    let lock = try await StoreLock.acquire(layout.lock(entry.sha256)) {
      progress(DownloadProgress(phase: .waiting, bytesDone: 0, bytesTotal: plan.byteCount))
    }
    // The one that was waited for may have done it.
    if let installed = downloader.intact(entry) {
      lock?.discard()
      return installed
    }
    guard lock != nil else {
      // No locks here: a part of our own cannot be harmed by others, nor continued.
      let path = layout.part("\(entry.sha256)-\(UInt64.random(in: 0...UInt64.max))")
      defer { try? FileSystem.remove(path) }
      return try await bring(into: path, tagPath: nil)
    }
    let model = try await bring(into: layout.part(entry.sha256), tagPath: layout.tag(entry.sha256))
    lock?.discard()
    return model
  }

  private func bring(into path: String, tagPath: String?) async throws(ModelStoreError) -> InstalledModel {
    let part = try PartFile(path: path)
    // A server cannot continue what is as long as the whole, or longer.
    if let total = plan.byteCount, part.count > total { try part.restart() }
    var hasOldBytes = part.count > 0
    while true {
      var total = plan.byteCount
      if part.count != total || part.count == 0 {
        total = try await filler(tagPath).fill(part).total
      }
      progress(DownloadProgress(phase: .verifying, bytesDone: part.count, bytesTotal: total))
      let sha256 = try part.finish()
      if sha256 == entry.sha256 { break }
      try part.restart()
      guard hasOldBytes else {
        try FileSystem.remove(path)
        if let tagPath { try FileSystem.remove(tagPath) }
        throw ModelStoreError(
          .wrongChecksum,
          "What \(plan.url) sent is not the model: its SHA-256 is \(sha256) instead of \(entry.sha256)",
          remedy: "Pull again later, or from another host with --host; nothing was installed")
      }
      // The old and the new bytes may be of different files: once more, from the beginning.
      hasOldBytes = false
    }
    return try install(part, tagPath: tagPath)
  }

  private func filler(_ tagPath: String?) -> PartFiller {
    PartFiller(
      address: plan.address, byteCount: plan.byteCount, tagPath: tagPath, isChecksumKnown: true,
      settings: downloader.settings, folder: layout.partialFolder, root: layout.root, progress: progress)
  }

  /// Gives the verified file its place, then makes it the one in use.
  private func install(_ part: PartFile, tagPath: String?) throws(ModelStoreError) -> InstalledModel {
    let name = entry.name
    let before = try? downloader.store.installedModel(named: name)
    var record = StoreRecord(entry, bytes: part.count, previous: nil, url: plan.url)
    if let before {
      record.previous = before.version == record.version ? before.previousVersion : before.version
    }
    let folder = layout.versionFolder(name, record.version)
    try FileSystem.makeFolder(folder)
    try FileSystem.move(part.path, to: folder + "/" + record.file)
    try FileSystem.replace(layout.record(name), with: record.json())
    if let tagPath { try FileSystem.remove(tagPath) }
    removeOlderVersions(keeping: [record.version, record.previous])
    return InstalledModel(record, name: name, layout: layout)
  }

  /// Keeps the one before the one in use, for a way back.
  private func removeOlderVersions(keeping kept: [String?]) {
    // The model is there and in use; a version too many does no harm.
    guard let names = try? FileSystem.names(in: layout.folder(entry.name)) else { return }
    for name in names
    where !kept.contains(name) && FileSystem.isFolder(layout.versionFolder(entry.name, name)) {
      try? FileSystem.remove(layout.versionFolder(entry.name, name))
    }
  }
}
