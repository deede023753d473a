// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Downloads models into a store; the library opens network connections only here, and only when called.
///
/// It uses the system's libcurl, with the system's certificates and proxies (`https_proxy`, `no_proxy`).
public struct ModelDownloader: Sendable {
  /// The store for the models.
  public let store: ModelStore
  /// The host, timeouts and limits.
  package var options: Options { settings.options }
  var settings: TransferSettings

  /// Creates a downloader.
  ///
  /// - Throws: `invalidOption`.
  public init(store: ModelStore, options: Options = Options()) throws(ModelStoreError) {
    try options.check()
    self.store = store
    settings = TransferSettings(options: options)
  }

  /// Creates a downloader with the default options.
  package init(defaultsFor store: ModelStore) {
    self.store = store
    settings = TransferSettings()
  }

  /// Returns the plan of a download, without downloading.
  ///
  /// The server is asked only if the catalogue does not have the size.
  ///
  /// - Parameter name: A model's name in the catalogue, or an alias.
  /// - Returns: Size, licence and address, to show to the user.
  /// - Throws: `unknownModel`; if the server is asked, `notFound`, `unreachable` and other codes of a
  ///   download.
  public func plan(for name: String) async throws(ModelStoreError) -> DownloadPlan {
    guard let entry = store.catalogue[name] else { throw store.origin.unknown(name, "There is no model") }
    let address = options.host.map { DownloadAddress(entry, host: $0) } ?? DownloadAddress(entry)
    let installed = await BlockingWork.run { _ in
      store.intactModel(named: entry.name, sha256: entry.sha256)
    }
    var byteCount = entry.byteCount ?? installed?.byteCount
    if byteCount == nil { byteCount = try await announcedSize(address) }
    return DownloadPlan(
      entry: entry, url: address.shown, byteCount: byteCount,
      presentBytes: FileSystem.size(of: store.layout.part(entry.sha256)) ?? 0, installed: installed,
      address: address)
  }

  /// Downloads a model, verifies it, and makes it the current version.
  ///
  /// An interrupted download is resumed. If another process is downloading the same model, this call waits
  /// for it. Cancelling the task stops the download within a tenth of a second; the partial file is kept.
  /// - Parameters:
  ///   - plan: The result of `plan(for:)`.
  ///   - progress: Called for each piece that arrives, by one thread at a time. It should be quick.
  /// - Returns: The model, ready to be loaded.
  /// - Throws: `cancelled`, `diskFull`, `wrongChecksum`, `timeout` and the other codes of `ModelStoreError`.
  public func download(
    _ plan: DownloadPlan, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(ModelStoreError) -> InstalledModel {
    if let installed = plan.installed { return installed }
    return try await install(progress).run(InstallRequest(plan))
  }

  /// Downloads a model by name and makes it the current version, unless the newest is already installed.
  ///
  /// The current model stays in use until the new one has arrived and is verified.
  /// - Parameters:
  ///   - name: The model's name in the store's catalogue or on its host.
  ///   - progress: Called for each piece that arrives, by one thread at a time.
  /// - Returns: The model, ready to be loaded.
  /// - Throws: `invalidName`, `hostMissing`, `invalidOption` for the host, `notFound`, `invalidModel`,
  ///   `diskFull`, `cancelled` and the other codes of a download.
  package func download(
    _ name: String, progress: @escaping @Sendable (DownloadProgress) -> Void
  ) async throws(ModelStoreError) -> InstalledModel {
    guard case .host(let host) = store.origin else {
      return try await download(plan(for: name), progress: progress)
    }
    if let error = store.origin.invalidName(name) { throw error }
    guard let host else { throw HostAddress.missing(name) }
    switch try HostAddress(host).place(of: name) {
    case .web(let address): return try await install(progress).run(InstallRequest(name, .web(address)))
    case .file(let path): return try await install(progress).run(InstallRequest(name, .file(path)))
    case .service(let service): return try await install(progress).run(service)
    }
  }

  /// Downloads a model whose content is known to a file outside of any store, and verifies it.
  /// - Parameters:
  ///   - address: The address of the model.
  ///   - sha256: The SHA-256 of the model.
  ///   - byteCount: The size of the model in bytes.
  ///   - path: The path of the file; after an error, the file may be partial.
  /// - Throws: `cancelled`, `diskFull`, `wrongChecksum`, `invalidModel` and the other codes of a download.
  package static func download(
    _ address: DownloadAddress, sha256: String, byteCount: Int, to path: String
  ) async throws(ModelStoreError) {
    var request = InstallRequest(path, .web(address))
    (request.sha256, request.byteCount) = (sha256, byteCount)
    var settings = TransferSettings()
    settings.options.sizeLimit = byteCount
    let fetch = Fetch(
      request: request, present: nil, part: try PartialFile(path: path),
      layout: StoreLayout(root: FilePath(path).parent), settings: settings, progress: { _ in })
    // The only outcome without an installed model and a host of versions is a complete file.
    _ = try await fetch.run()
  }

  private func install(_ progress: @escaping @Sendable (DownloadProgress) -> Void) -> Install {
    Install(store: store, settings: settings.beginning(), progress: progress)
  }

  /// Returns the size that the server announces; nil if it announces none.
  private func announcedSize(_ address: DownloadAddress) async throws(ModelStoreError) -> Int? {
    var transfer = settings.transfer(address)
    transfer.isHeadOnly = true
    let outcome = try await transfer.run(filling: NoBody())
    guard !Task.isCancelled else { throw .cancelled }
    // Some servers do not support HEAD; the download itself reports real errors.
    if [400, 403, 405, 501].contains(outcome.head.status) { return nil }
    if let failure = outcome.failure(at: address) { throw failure }
    return outcome.contentLength
  }

  private final class NoBody: HTTPTransfer.Receiver {
    func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool { true }
  }
}

/// The facts about a download, to show before it starts.
public struct DownloadPlan: Sendable, Hashable {
  /// The model.
  public let entry: CatalogueEntry
  /// The address of the file, without user name and password.
  public let url: String
  /// The size of the whole file in bytes; nil if neither the catalogue nor the server reports it.
  public let byteCount: Int?
  /// The number of bytes that an interrupted download has already received.
  package let presentBytes: Int
  /// The model, if this version is already installed and intact: there is nothing to download.
  public let installed: InstalledModel?

  let address: DownloadAddress
}

/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
  /// The phase of a download; more may be added, so compare with `==` instead of switching.
  public struct Phase: Sendable, Hashable {
    private enum Kind { case waiting, transferring, retrying, verifying }
    private let kind: Kind

    /// Another process or task is downloading the same model.
    public static let waiting = Phase(kind: .waiting)
    /// Bytes are arriving.
    public static let transferring = Phase(kind: .transferring)
    /// The connection ended or the server failed; the next attempt follows after a pause.
    public static let retrying = Phase(kind: .retrying)
    /// The file is complete; it is flushed to disk and its checksum is verified.
    public static let verifying = Phase(kind: .verifying)
  }

  /// The current phase.
  public var phase: Phase
  /// The number of bytes received, including those of an interrupted download.
  ///
  /// It drops if the server sends the whole file again.
  public var bytesDone: Int
  /// The total number of bytes; nil if unknown.
  public var bytesTotal: Int?
}
