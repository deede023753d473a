// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// One download of a hosted model, from the lock to the new `current.json`.
struct HostedDownload {
  let name: String
  let models: HostedModels
  let progress: @Sendable (DownloadProgress) -> Void

  private var layout: StoreLayout { models.layout }

  /// What arrived, and what its source said of it.
  struct Arrival {
    var source: String
    var validator = HTTPValidator()
  }

  func run() async throws(ModelStoreError) -> HostedModel {
    try HostedModels.check(name)
    guard let text = models.host else { throw ModelHost.missing(name) }
    let place = try ModelHost(text).place(of: name)
    try FileSystem.makeFolder(layout.partialFolder)
    let lock = try await StoreLock.acquire(layout.lock(name)) {
      progress(DownloadProgress(phase: .waiting, bytesDone: 0, bytesTotal: nil))
    }
    // Where there are no locks, a part of our own cannot be harmed by others, nor continued.
    let part = lock == nil ? "\(name)-\(UInt64.random(in: 0...UInt64.max))" : name
    defer { if lock == nil { try? FileSystem.remove(layout.part(part)) } }
    let model = try await bring(place, into: layout.part(part), tagPath: lock == nil ? nil : layout.tag(name))
    lock?.discard()
    return model
  }

  private func bring(
    _ place: ModelHost.Place, into path: String, tagPath: String?
  ) async throws(ModelStoreError) -> HostedModel {
    // Whatever is wrong with it, a download mends it.
    let present = try? intact()
    let part = try PartFile(path: path)
    let arrival: Arrival?
    switch place {
    case .web(let address): arrival = try await fetch(address, part, tagPath: tagPath, present)
    case .file(let file):
      if let tagPath { try FileSystem.remove(tagPath) }
      arrival = try HostedCopy(file: file, name: name, models: models, progress: progress).run(part, present)
    }
    guard let arrival else {
      try discard(part, tagPath)
      // Only a model that is there can be the same as another.
      guard let present else { throw HostedRecord.damaged(name, "it went away while the host was asked") }
      return present
    }
    progress(DownloadProgress(phase: .verifying, bytesDone: part.count, bytesTotal: part.count))
    let sha256 = try part.finish()
    do throws(ModelStoreError) {
      if present?.sha256 != sha256 { try ModelContent.check(part.path, source: arrival.source) }
    } catch {
      try discard(part, tagPath)
      throw error
    }
    guard !Task.isCancelled else { throw .cancelled }
    return try install(part, sha256, arrival, tagPath: tagPath)
  }

  private func fetch(
    _ address: DownloadAddress, _ part: PartFile, tagPath: String?, _ present: HostedModel?
  ) async throws(ModelStoreError) -> Arrival? {
    let filler = PartFiller(
      address: address, byteCount: nil, tagPath: tagPath, isChecksumKnown: false,
      unlessSame: present?.source == address.shown ? present?.validator : nil,
      settings: models.settings, folder: layout.partialFolder, root: layout.root, progress: progress)
    do throws(ModelStoreError) {
      let answer = try await filler.fill(part)
      return answer.isUnchanged ? nil : Arrival(source: address.shown, validator: answer.head.validator)
    } catch {
      guard error.code == .invalidOption else { throw error }
      // An address that looks like one, and that libcurl cannot use, for example for its port.
      var named = error
      named.remedy = "Check the address in \(ModelHost.setting)"
      throw named
    }
  }

  /// The model in use, if its file is what was stored.
  private func intact() throws(ModelStoreError) -> HostedModel? {
    guard let model = try models.model(named: name) else { return nil }
    return try FileSystem.sha256(of: model.path) == model.sha256 ? model : nil
  }

  private func discard(_ part: PartFile, _ tagPath: String?) throws(ModelStoreError) {
    if let tagPath { try FileSystem.remove(tagPath) }
    try FileSystem.remove(part.path)
  }

  /// Gives the checked file its place, then makes it the one in use.
  private func install(
    _ part: PartFile, _ sha256: String, _ arrival: Arrival, tagPath: String?
  ) throws(ModelStoreError) -> HostedModel {
    var record = HostedRecord(
      bytes: part.count, sha256: sha256, source: arrival.source, validator: arrival.validator)
    // A record that cannot be read names no version that could be kept.
    if let before = try? models.record(of: name) {
      record.previous = before.version == record.version ? before.previous : before.version
    }
    let folder = layout.versionFolder(name, record.version)
    try FileSystem.makeFolder(folder)
    try FileSystem.move(part.path, to: folder + "/" + StoreLayout.modelFile)
    try FileSystem.replace(layout.record(name), with: StoreJSON.encode(record))
    if let tagPath { try FileSystem.remove(tagPath) }
    removeOlderVersions(keeping: [record.version, record.previous])
    return HostedModel(record, name: name, layout: layout)
  }

  private func removeOlderVersions(keeping kept: [String?]) {
    // The model is there and in use; a version too many does no harm.
    guard let names = try? FileSystem.names(in: layout.folder(name)) else { return }
    for version in names
    where !kept.contains(version) && FileSystem.isFolder(layout.versionFolder(name, version)) {
      try? FileSystem.remove(layout.versionFolder(name, version))
    }
  }
}
