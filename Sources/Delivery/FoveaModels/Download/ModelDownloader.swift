// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Brings models into a store: the only part of the library that opens a network connection, and only
/// when one of its functions is called.
///
/// It uses the system's libcurl, so proxies (`https_proxy`, `no_proxy`) and certificates are those of the system.
public struct ModelDownloader: Sendable {
  /// Where models are put.
  public let store: ModelStore
  /// Where they come from.
  public var options: Options { settings.options }
  var settings: TransferSettings

  /// Makes a downloader.
  ///
  /// - Throws: `invalidOption`.
  public init(store: ModelStore, options: Options = Options()) throws(ModelStoreError) {
    try options.check()
    self.store = store
    settings = TransferSettings(options: options)
  }

  /// Makes a downloader with the defaults.
  package init(defaultsFor store: ModelStore) {
    self.store = store
    settings = TransferSettings()
  }

  /// Finds out what a download would bring.
  ///
  /// The server is asked only where the catalogue does not have the size.
  ///
  /// - Parameter name: A name of the catalogue, or an alias.
  /// - Returns: Size, licence and address, to be shown to the user.
  /// - Throws: `unknownModel`; where the server is asked, `notFound`, `unreachable` and others of a download.
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

  /// Downloads a model, verifies it, and makes it the one in use.
  ///
  /// What was interrupted is continued. Where another process downloads the same model, its end is waited for. A
  /// cancelled task ends the download within a tenth of a second; what has arrived is kept.
  /// - Parameters:
  ///   - plan: What `plan(for:)` gave.
  ///   - progress: Called for each piece that arrives, by one thread at a time. It should be quick.
  /// - Returns: The model, ready to be loaded.
  /// - Throws: `cancelled`, `diskFull`, `wrongChecksum`, `timeout` and the other codes of `ModelStoreError`.
  public func download(
    _ plan: DownloadPlan, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(ModelStoreError) -> InstalledModel {
    if let installed = plan.installed { return installed }
    return try await install(progress).run(ModelOrder(plan))
  }

  /// Downloads a model by its name and makes it the one in use; where the newest is there already, nothing is
  /// transferred.
  ///
  /// The model in use stays until the new one has arrived and was verified.
  /// - Parameters:
  ///   - name: What the catalogue or the host of the store calls it.
  ///   - progress: Called for each piece that arrives, by one thread at a time.
  /// - Returns: The model, ready to be loaded.
  /// - Throws: `invalidName`, `hostMissing`, `invalidOption` for the host, `notFound`, `invalidModel`, `diskFull`,
  ///   `cancelled` and the other codes of a download.
  package func download(
    _ name: String, progress: @escaping @Sendable (DownloadProgress) -> Void
  ) async throws(ModelStoreError) -> InstalledModel {
    guard case .host(let host) = store.origin else {
      return try await download(plan(for: name), progress: progress)
    }
    if let error = store.origin.invalidName(name) { throw error }
    guard let host else { throw HostAddress.missing(name) }
    switch try HostAddress(host).place(of: name) {
    case .web(let address): return try await install(progress).run(ModelOrder(name, .web(address)))
    case .file(let path): return try await install(progress).run(ModelOrder(name, .file(path)))
    case .service(let service): return try await install(progress).run(service)
    }
  }

  private func install(_ progress: @escaping @Sendable (DownloadProgress) -> Void) -> Install {
    Install(store: store, settings: settings.beginning(), progress: progress)
  }

  /// The size that the server announces; nil where it announces none.
  private func announcedSize(_ address: DownloadAddress) async throws(ModelStoreError) -> Int? {
    var transfer = settings.transfer(address)
    transfer.isHeadOnly = true
    let outcome = try await transfer.run(filling: NoBody())
    guard !Task.isCancelled else { throw .cancelled }
    // Some servers have no HEAD; the download itself will show.
    if [400, 403, 405, 501].contains(outcome.head.status) { return nil }
    if let failure = outcome.failure(at: address) { throw failure }
    return outcome.contentLength
  }

  private final class NoBody: HTTPTransfer.Receiver {
    func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool { true }
  }
}

/// What a download would bring, to be shown before it begins.
public struct DownloadPlan: Sendable, Hashable {
  /// The model.
  public let entry: CatalogueEntry
  /// The address that it comes from, without user name and password.
  public let url: String
  /// The size of the whole file in bytes; nil where neither the catalogue nor the server has it.
  public let byteCount: Int?
  /// How many of them are there already, from a download that was interrupted.
  public let presentBytes: Int
  /// The model, where exactly this version is there and whole: then there is nothing to download.
  public let installed: InstalledModel?

  let address: DownloadAddress
}

/// How far a download is.
public struct DownloadProgress: Sendable, Hashable {
  /// What is being done; more phases may come, so compare with `==` instead of switching.
  public struct Phase: Sendable, Hashable {
    private enum Kind { case waiting, transferring, retrying, verifying }
    private let kind: Kind

    /// Another process, or another task, downloads the same model.
    public static let waiting = Phase(kind: .waiting)
    /// Bytes arrive.
    public static let transferring = Phase(kind: .transferring)
    /// The connection ended, or the server failed; it is asked again after a pause.
    public static let retrying = Phase(kind: .retrying)
    /// Everything is there; it is written out and compared with its checksum.
    public static let verifying = Phase(kind: .verifying)
  }

  /// What is being done.
  public var phase: Phase
  /// How many bytes are there, those of an earlier, interrupted download included.
  ///
  /// It falls where the server sends
  /// everything again.
  public var bytesDone: Int
  /// How many there will be; nil where no one knows.
  public var bytesTotal: Int?
}
