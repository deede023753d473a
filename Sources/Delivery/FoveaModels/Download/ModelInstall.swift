// SPDX-License-Identifier: Apache-2.0

/// One download into a store: lock, part, verification, and the new `current.json`.
struct ModelInstall: Sendable {
  let store: ModelStore
  let settings: TransferSettings
  let progress: @Sendable (DownloadProgress) -> Void

  /// Installs a file whose place is known.
  /// - Returns: The model; the one that is there, where it is the same.
  func run(_ order: ModelOrder) async throws(ModelStoreError) -> InstalledModel {
    try await locked(order.partName, order.byteCount) { hasLock throws(ModelStoreError) in
      let present = await self.present(order.name, order.sha256)
      // The process that held the lock may have installed it already.
      if let present, present.sha256 == order.sha256 { return present }
      switch try await install(order, present, hasLock) {
      case .installed(let model): return model
      case .unchanged:
        // Only a model that is there can be the same as another.
        guard let present else {
          throw store.origin.damaged(order.name, "it went away while the host was asked")
        }
        return present
      case .expired(let failure): throw failure
      }
    }
  }

  /// How an order ended.
  enum Outcome {
    case installed(InstalledModel)
    /// The source has nothing else than the model that is there, or only a version that was left.
    case unchanged
    /// The address is too old.
    case expired(ModelStoreError)
  }

  /// Calls `body` while no one else downloads under this name.
  ///
  /// It gets whether there is a lock; where there is none, its part must be its own.
  func locked(
    _ lockName: String, _ byteCount: Int?,
    _ body: (Bool) async throws(ModelStoreError) -> InstalledModel
  ) async throws(ModelStoreError) -> InstalledModel {
    try FileSystem.makeFolder(store.layout.partialFolder)
    let lock = try await StoreLock.acquire(store.layout.lock(lockName), until: settings.deadline) {
      progress(DownloadProgress(phase: .waiting, bytesDone: 0, bytesTotal: byteCount))
    }
    let model = try await body(lock != nil)
    lock?.discard()
    return model
  }

  /// The model in use, where it is whole; one whose file had to be read for that is not read the next time.
  func present(_ name: String, _ sha256: String?) async -> InstalledModel? {
    await BlockingWork.run { _ in
      let path = (try? store.installedModel(named: name))?.path
      // Before it is read: a change meanwhile is found at the next time.
      let stamp = path.flatMap(FileStamp.init)
      guard let model = store.intactModel(named: name, sha256: sha256) else { return nil }
      guard let stamp, model.path == path else { return model }
      // Where it cannot be kept, the file is read again.
      return (try? store.versions(of: name).update(model.sha256) { $0.verified = stamp }) ?? model
    }
  }

  /// Brings an order and installs it, while the lock is held.
  func install(
    _ order: ModelOrder, _ present: InstalledModel?, _ hasLock: Bool
  ) async throws(ModelStoreError) -> Outcome {
    let layout = store.layout
    // Where there are no locks, a part of our own cannot be harmed by others, nor continued.
    let path = layout.part(order.partName + (hasLock ? "" : "-\(UInt64.random(in: 0...UInt64.max))"))
    defer { if !hasLock { try? FileSystem.remove(path) } }
    let part = try await BlockingWork.run { _ throws(ModelStoreError) in try PartFile(path: path) }
    let transfer = ModelTransfer(
      order: order, present: present, layout: layout, settings: settings, progress: progress,
      tagPath: hasLock ? layout.tag(order.partName) : nil)
    switch try await transfer.run(part) {
    case .expired(let failure): return .expired(failure)
    case .unchanged:
      try transfer.discard(part)
      return .unchanged
    case .arrived(let record):
      guard !Task.isCancelled else { throw .cancelled }
      if present != nil, Trials.read(order.name, layout).left.contains(record.sha256) {
        try transfer.discard(part)
        return .unchanged
      }
      let model = try store.versions(of: order.name).install(part.path, record)
      if let tagPath = transfer.tagPath { try FileSystem.remove(tagPath) }
      return .installed(model)
    }
  }
}
