// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The models of a host: what is on this device, and what brings the newest.
///
/// The host is that of a team of its own, see ``HostAddress``; the catalogue's models are in a ``ModelStore``. Only
/// ``update(_:progress:)`` opens a network connection. Any number of processes may use one folder at the same time.
public struct HostedModels: Sendable {
  let store: ModelStore
  private let downloader: ModelDownloader

  /// The folder, which need not exist yet.
  public var folder: String { store.folder }

  /// The models of a host.
  ///
  /// - Parameters:
  ///   - host: The host; nil for that of the variable `FOVEA_MODEL_HOST`, which is needed for ``update(_:progress:)`` alone.
  ///   - folder: The folder for models; nil for `FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME` or `~/.local/share`.
  ///     Hosted models are in its folder `.hosted`.
  ///   - options: How long to wait, and how often to ask; `host` is that of the catalogue and has no effect here.
  /// - Throws: `storeUnreadable` where no variable names a folder; `invalidOption`.
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

  /// The models that are on this device, sorted by name.
  ///
  /// One that is damaged, cannot be read or is of a newer Fovea is left out; ``model(named:)`` says why.
  /// - Returns: The models.
  /// - Throws: `storeUnreadable` for the folder. One that does not exist has no models.
  public func list() throws(ModelStoreError) -> [HostedModel] {
    // What is wrong with one model keeps none of the others from being listed.
    try store.installedNames().compactMap { name in try? model(named: name) }
  }

  /// A model that is on this device, without a request to the network.
  ///
  /// - Parameter name: What the host calls it.
  /// - Returns: nil where it was not downloaded.
  /// - Throws: `damagedModel` where its file is missing or has another size; `storeUnreadable`.
  public func model(named name: String) throws(ModelStoreError) -> HostedModel? {
    try store.installedModel(named: name).map { HostedModel(installed: $0, store: store) }
  }

  /// Asks the host for a model and downloads it, unless the newest is there already.
  ///
  /// The version in use stays until the new one has arrived and was verified. One that this device left is not downloaded
  /// again. What was interrupted is continued. A cancelled task ends the download within a tenth of a second.
  /// - Parameters:
  ///   - name: What the host calls it.
  ///   - progress: Called for each piece that arrives, by one thread at a time. It should be quick.
  /// - Returns: The model, ready to be loaded.
  /// - Throws: `hostMissing`, `invalidName`, `notFound`, `invalidInformation`, `wrongChecksum`, `diskFull`, `cancelled` and
  ///   the other codes of a download.
  @discardableResult
  public func update(
    _ name: String, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(ModelStoreError) -> HostedModel {
    HostedModel(installed: try await downloader.download(name, progress: progress), store: store)
  }

  /// Goes back to the version that was in use before.
  ///
  /// The version that is left stays on the disk, so that the next call goes forward again; until then no download brings it
  /// back, while one that the host publishes after it does come.
  /// - Parameter name: What the host calls it.
  /// - Returns: The model in use now.
  /// - Throws: `noPreviousVersion`, `notInstalled`, `damagedModel`, `storeUnwritable`.
  @discardableResult
  public func rollBack(_ name: String) throws(ModelStoreError) -> HostedModel {
    if let error = store.origin.invalidName(name) { throw error }
    let (now, left) = try store.versions(of: name).rollBack(isKept: true)
    try Trials.change(name, store.layout) { trials in
      trials.left.removeAll { $0 == now.sha256 }
      trials.leave(left.sha256)
    }
    return HostedModel(installed: now, store: store)
  }

  /// Removes a model with all its versions; a process that has it open keeps what it has.
  ///
  /// - Parameter name: What the host calls it.
  /// - Throws: `notInstalled`, `invalidName`, `storeUnwritable`.
  public func remove(_ name: String) throws(ModelStoreError) { try store.remove(name) }

  /// Reads a model's file and compares it with what was downloaded.
  ///
  /// - Parameter name: What the host calls it.
  /// - Returns: The model, whose file has the SHA-256 that it had when it was downloaded.
  /// - Throws: `damagedModel`, which names both checksums; `notInstalled`, `storeUnreadable`.
  /// - Complexity: Reads the whole file.
  @discardableResult
  public func verify(_ name: String) throws(ModelStoreError) -> HostedModel {
    HostedModel(installed: try store.verify(name), store: store)
  }
}
