// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The hosted models on this device, which can be listed, updated and rolled back.
///
/// The host is a team's own, see ``HostAddress``; the catalogue's models are in a ``ModelStore``. Only
/// ``update(_:progress:)`` opens a network connection. Any number of processes may use one folder at the same
/// time.
public struct HostedModels: Sendable {
  let store: ModelStore
  private let downloader: ModelDownloader

  /// The folder, which need not exist yet.
  public var folder: String { store.folder }

  /// Opens the folder of a host's models.
  ///
  /// - Parameters:
  ///   - host: The host; nil for `FOVEA_MODEL_HOST`. Only ``update(_:progress:)`` needs one.
  ///   - folder: The folder for models; nil for `FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME` or
  ///     `~/.local/share`. Hosted models are in its subfolder `.hosted`.
  ///   - options: Timeouts and attempts; `host` is for the catalogue and has no effect here.
  /// - Throws: `storeUnreadable` if no variable sets a folder; `invalidOption`.
  public init(
    host: HostAddress? = nil, folder: String? = nil,
    options: ModelDownloader.Options = ModelDownloader.Options()
  ) throws(ModelStoreError) {
    let text = host?.text ?? Environment.value(HostAddress.variable)
    let root: String
    if let folder { root = folder } else { root = try StoreLayout.userFolder() }
    store = ModelStore(folder: root, host: text)
    downloader = try ModelDownloader(store: store, options: options)
  }

  init(_ downloader: ModelDownloader) {
    store = downloader.store
    self.downloader = downloader
  }

  /// Returns the models on this device, sorted by name.
  ///
  /// Models that are damaged, unreadable or from a newer Fovea are left out; ``model(named:)`` reports why.
  /// - Returns: The models.
  /// - Throws: `storeUnreadable` for the folder. A folder that does not exist has no models.
  public func list() throws(ModelStoreError) -> [HostedModel] {
    // A broken model does not prevent the others from being listed.
    try store.installedNames().compactMap { name in try? model(named: name) }
  }

  /// Returns a model on this device, without a network request.
  ///
  /// - Parameter name: The model's name on the host.
  /// - Returns: nil if it was not downloaded.
  /// - Throws: `damagedModel` if its file is missing or has another size; `storeUnreadable`.
  public func model(named name: String) throws(ModelStoreError) -> HostedModel? {
    try store.installedModel(named: name).map { HostedModel(installed: $0, store: store) }
  }

  /// Downloads the newest version of a model, unless it is already installed.
  ///
  /// The current version stays in use until the new one has arrived and is verified. A version that this
  /// device abandoned is not downloaded again. An interrupted download is resumed. Cancelling the task stops
  /// the download within a tenth of a second.
  /// - Parameters:
  ///   - name: The model's name on the host.
  ///   - progress: Called for each piece that arrives, by one thread at a time. It should be quick.
  /// - Returns: The model, ready to be loaded.
  /// - Throws: `hostMissing`, `invalidName`, `notFound`, `invalidInformation`, `wrongChecksum`, `diskFull`,
  ///   `cancelled` and the other codes of a download.
  @discardableResult
  public func update(
    _ name: String, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(ModelStoreError) -> HostedModel {
    HostedModel(installed: try await downloader.download(name, progress: progress), store: store)
  }

  /// Rolls back to the previous version.
  ///
  /// The abandoned version stays on disk, so that the next call restores it; until then no download installs
  /// it again, but versions that the host publishes later are installed.
  /// - Parameter name: The model's name on the host.
  /// - Returns: The model now in use.
  /// - Throws: `noPreviousVersion`, `notInstalled`, `damagedModel`, `storeUnwritable`.
  @discardableResult
  public func rollBack(_ name: String) throws(ModelStoreError) -> HostedModel {
    if let error = store.origin.invalidName(name) { throw error }
    let (now, left) = try store.versions(of: name).rollBack(isKept: true)
    try FirstLaunchRecord.change(name, store.layout) { record in
      record.left.removeAll { $0 == now.sha256 }
      record.leave(left.sha256)
    }
    return HostedModel(installed: now, store: store)
  }

  /// Removes a model with all its versions; a process that has it open can go on using it.
  ///
  /// - Parameter name: The model's name on the host.
  /// - Throws: `notInstalled`, `invalidName`, `storeUnwritable`.
  public func remove(_ name: String) throws(ModelStoreError) { try store.remove(name) }

  /// Reads a model's file and compares it with the checksum of the download.
  ///
  /// - Parameter name: The model's name on the host.
  /// - Returns: The model, whose file has the SHA-256 of the download.
  /// - Throws: `damagedModel`, which names both checksums; `notInstalled`, `storeUnreadable`.
  /// - Complexity: Reads the whole file.
  @discardableResult
  public func verify(_ name: String) throws(ModelStoreError) -> HostedModel {
    HostedModel(installed: try store.verify(name), store: store)
  }
}
