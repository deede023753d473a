// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Installs a model: takes the lock of its downloads, fetches the file, and makes it the version in use.
struct Install: Sendable {
  /// How often the source is asked for a new address of a file after the old one has expired.
  static let mostRenewals = 3

  let store: ModelStore
  let settings: TransferSettings
  let progress: @Sendable (DownloadProgress) -> Void

  /// Installs a file whose place is known.
  /// - Returns: The model; the one that is there, if it is the same.
  func run(_ order: ModelOrder) async throws(ModelStoreError) -> InstalledModel {
    try await run(
      order.name, lock: order.partName, sha256: order.sha256, byteCount: order.byteCount, { _, _ in order })
  }

  /// Installs the file that `order` names, while no one else downloads under this name.
  ///
  /// - Parameters:
  ///   - name: The model.
  ///   - lockName: The name of the lock, and of the partial files.
  ///   - sha256: The only content that counts as the model that is there; nil for any.
  ///   - byteCount: The size of the file, for those who wait; nil if it is not known.
  ///   - order: Names the file, and again after its address has expired; nil to keep the model that is there.
  ///     Its arguments are that model and how often an address has expired.
  /// - Returns: The model; the one that is there, if it is the same.
  /// - Throws: The codes of a download.
  func run(
    _ name: String, lock lockName: String, sha256: String? = nil, byteCount: Int? = nil,
    _ order: (InstalledModel?, Int) async throws(ModelStoreError) -> ModelOrder?
  ) async throws(ModelStoreError) -> InstalledModel {
    try FileSystem.makeFolder(store.layout.partialFolder)
    let lock = try await StoreLock.acquire(store.layout.lock(lockName), until: settings.deadline) {
      progress(DownloadProgress(phase: .waiting, bytesDone: 0, bytesTotal: byteCount))
    }
    let model = try await install(
      name, over: present(name, sha256), PartNames(name: lockName, layout: store.layout),
      hasLock: lock != nil, order)
    lock?.discard()
    return model
  }

  private func install(
    _ name: String, over present: InstalledModel?, _ parts: PartNames, hasLock: Bool,
    _ next: (InstalledModel?, Int) async throws(ModelStoreError) -> ModelOrder?
  ) async throws(ModelStoreError) -> InstalledModel {
    var renewals = 0
    while let order = try await next(present, renewals) {
      // The process that held the lock may have installed it already.
      if let present, present.sha256 == order.sha256 { return try renew(present, order) }
      // The beginning of another version is of no use any more.
      if hasLock { try parts.remove(but: order.partName) }
      let part = try await partialFile(of: order, hasLock)
      // One that cannot be removed takes space, and is never continued.
      defer { if !hasLock { try? FileSystem.remove(part.path) } }
      let fetch = Fetch(
        order: order, present: present, part: part, layout: store.layout, settings: settings,
        progress: progress)
      switch try await fetch.run() {
      case .complete(let validator):
        guard !Task.isCancelled else { throw .cancelled }
        let record = order.record(bytes: part.count, sha256: part.sha256, validator: validator)
        if let present, Trials.read(name, store.layout).left.contains(record.sha256) {
          try part.discard()
          return present
        }
        let model = try store.versions(of: name).install(part.path, record)
        try part.tag?.remove()
        return model
      case .unchanged:
        try part.discard()
        return try kept(present, name)
      case .expired(let failure):
        guard renewals < Self.mostRenewals else { throw failure }
        renewals += 1
      }
    }
    return try kept(present, name)
  }

  /// The model in use, if it is whole; one whose file had to be read for that is not read the next time.
  private func present(_ name: String, _ sha256: String?) async -> InstalledModel? {
    await BlockingWork.run { _ in
      // Whatever is wrong with the model, the download fixes it.
      let path = (try? store.installedModel(named: name))?.path
      // Before it is read: a change meanwhile is found at the next time.
      let stamp = path.flatMap(FileStamp.init)
      guard let model = store.intactModel(named: name, sha256: sha256) else { return nil }
      guard let stamp, model.path == path else { return model }
      // If it cannot be kept, the file is read again the next time.
      return (try? store.versions(of: name).update(model.sha256) { $0.verified = stamp }) ?? model
    }
  }

  private func partialFile(
    of order: ModelOrder, _ hasLock: Bool
  ) async throws(ModelStoreError) -> PartialFile {
    let layout = store.layout
    // Without locks, a file of our own cannot be harmed by others, nor continued.
    let name = order.partName + (hasLock ? "" : "-\(UInt64.random(in: 0...UInt64.max))")
    let tag = hasLock ? PartialFile.Tag(url: order.shown, path: layout.tag(name)) : nil
    return try await BlockingWork.run { _ throws(ModelStoreError) in
      try PartialFile(path: layout.part(name), tag: tag)
    }
  }

  /// Stores what the host says now about the version that is there.
  private func renew(
    _ present: InstalledModel, _ order: ModelOrder
  ) throws(ModelStoreError) -> InstalledModel {
    guard let published = order.published else { return present }
    return try store.versions(of: order.name).update(present.sha256) { $0.published = published } ?? present
  }

  private func kept(_ present: InstalledModel?, _ name: String) throws(ModelStoreError) -> InstalledModel {
    // Only a model that is there can be the same as another.
    guard let present else { throw store.origin.damaged(name, "it went away while the host was asked") }
    return present
  }
}
