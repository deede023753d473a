// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Installs a model: acquires its download lock, fetches the file, and makes it the version in use.
struct Install: Sendable {
  /// The maximum number of requests for a new address after the old one has expired.
  static let mostRenewals = 3

  let store: ModelStore
  let settings: TransferSettings
  let progress: @Sendable (DownloadProgress) -> Void

  /// Installs a file whose address is known.
  /// - Returns: The model; the installed one if it is the same.
  func run(_ request: InstallRequest) async throws(ModelStoreError) -> InstalledModel {
    try await run(
      request.name, lock: request.partialFileName, sha256: request.sha256, byteCount: request.byteCount
    ) { _, _ in request }
  }

  /// Installs the file that `request` returns, while no one else downloads under this name.
  ///
  /// - Parameters:
  ///   - name: The model's name.
  ///   - lockName: The name of the lock and the partial files.
  ///   - sha256: The content that an installed model must have to be used; nil accepts any.
  ///   - byteCount: The size of the file, for progress while waiting; nil if unknown.
  ///   - request: Returns the file to install, again after its address has expired; nil keeps the installed
  ///     model. Its arguments are that model and the number of expired addresses.
  /// - Returns: The model; the installed one if it is the same.
  /// - Throws: The codes of a download.
  func run(
    _ name: String, lock lockName: String, sha256: String? = nil, byteCount: Int? = nil,
    _ request: (InstalledModel?, Int) async throws(ModelStoreError) -> InstallRequest?
  ) async throws(ModelStoreError) -> InstalledModel {
    try FileSystem.makeFolder(store.layout.partialFolder)
    let lock = try await StoreLock.acquire(store.layout.lock(lockName), until: settings.deadline) {
      progress(DownloadProgress(phase: .waiting, bytesDone: 0, bytesTotal: byteCount))
    }
    let model = try await install(
      name, over: present(name, sha256), PartialFileNames(name: lockName, layout: store.layout),
      hasLock: lock != nil, request)
    lock?.discard()
    return model
  }

  private func install(
    _ name: String, over present: InstalledModel?, _ parts: PartialFileNames, hasLock: Bool,
    _ next: (InstalledModel?, Int) async throws(ModelStoreError) -> InstallRequest?
  ) async throws(ModelStoreError) -> InstalledModel {
    var renewals = 0
    while let request = try await next(present, renewals) {
      // The process that held the lock may have installed it already.
      if let present, present.sha256 == request.sha256 { return try renew(present, request) }
      // Partial files of other versions are useless now.
      if hasLock { try parts.remove(but: request.partialFileName) }
      let part = try await partialFile(of: request, hasLock)
      // A partial file that cannot be removed takes space, but is never resumed.
      defer { if !hasLock { try? FileSystem.remove(part.path) } }
      let fetch = Fetch(
        request: request, present: present, part: part, layout: store.layout, settings: settings,
        progress: progress)
      switch try await fetch.run() {
      case .complete(let validator):
        guard !Task.isCancelled else { throw .cancelled }
        let record = request.record(bytes: part.count, sha256: part.sha256, validator: validator)
        if let present, FirstLaunchRecord.read(name, store.layout).left.contains(record.sha256) {
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

  /// Returns the model in use if it is intact, and records its stamp so that it need not be read again.
  private func present(_ name: String, _ sha256: String?) async -> InstalledModel? {
    await BlockingWork.run { _ in
      // The download fixes any fault of the model.
      let path = (try? store.installedModel(named: name))?.path
      // Taken before reading, so that a change during the read is found next time.
      let stamp = path.flatMap(FileStamp.init)
      guard let model = store.intactModel(named: name, sha256: sha256) else { return nil }
      guard let stamp, model.path == path else { return model }
      // If this cannot be written, the file is read again next time.
      return (try? store.versions(of: name).update(model.sha256) { $0.verified = stamp }) ?? model
    }
  }

  private func partialFile(
    of request: InstallRequest, _ hasLock: Bool
  ) async throws(ModelStoreError) -> PartialFile {
    let layout = store.layout
    // Without locks, use a unique file, which others cannot damage, but which cannot be resumed.
    let name = request.partialFileName + (hasLock ? "" : "-\(UInt64.random(in: 0...UInt64.max))")
    let tag = hasLock ? PartialFile.Tag(url: request.shown, path: layout.tag(name)) : nil
    return try await BlockingWork.run { _ throws(ModelStoreError) in
      try PartialFile(path: layout.part(name), tag: tag)
    }
  }

  /// Stores the host's current data about the installed version.
  private func renew(
    _ present: InstalledModel, _ request: InstallRequest
  ) throws(ModelStoreError) -> InstalledModel {
    guard let published = request.published else { return present }
    return try store.versions(of: request.name).update(present.sha256) { $0.published = published } ?? present
  }

  private func kept(_ present: InstalledModel?, _ name: String) throws(ModelStoreError) -> InstalledModel {
    // Only an installed model can be kept.
    guard let present else { throw store.origin.damaged(name, "it was removed during the download") }
    return present
  }
}
