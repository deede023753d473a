// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

extension HostClient {
  /// Returns the number of the version that a channel points at.
  /// - Returns: nil if there is no such model, or its channel points at no version.
  /// - Throws: The host's refusal, in its own words; `invalid` for a name or channel that is not allowed.
  package func version(of name: String, channel: String) async throws(HostError) -> Int? {
    try HostModel.checkChannel(channel)
    return try await present(name)?.channels[channel]
  }

  /// The versions that a model has before a file is sent.
  package struct Known: Sendable, Equatable {
    /// The version with the bytes of the file: one that is not withdrawn, if there is one.
    package let version: HostAnswer.Version?
    /// The SHA-256 of every version, also of those withdrawn.
    package let hashes: Set<String>
    /// The numbers of the versions that the channels of the model point at.
    package let channels: [String: Int]
  }

  /// Returns what a model has of a file, and besides it.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - name: The name of the model.
  /// - Returns: nil if there is no such model, or it has no version, and for a file that cannot be read.
  /// - Throws: The host's refusal, in its own words; `invalid` for a name that is not allowed.
  package func known(_ path: String, of name: String) async throws(HostError) -> Known? {
    guard let model = try await present(name), let versions = model.versions, !versions.isEmpty,
      // Sending a file that cannot be read reports the reason.
      let sha256 = try? BlobSums.reading(file: path).finished.sha256
    else { return nil }
    let same = versions.filter { $0.sha256 == sha256 }
    return Known(
      version: same.last { !$0.withdrawn } ?? same.last, hashes: Set(versions.map(\.sha256)),
      channels: model.channels)
  }

  /// Returns a model; nil if there is none of that name.
  private func present(_ name: String) async throws(HostError) -> HostAnswer.Model? {
    let reply: Reply
    do throws(HostError) { reply = try await model(name) } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
    return try reply.decode(HostAnswer.Model.self)
  }

  /// Returns whether the disk of the host has changed the file of a version, which it reads.
  /// - Returns: false also if the host keeps no file of the version, or is too old for the check.
  /// - Throws: The host's refusal, in its own words; `invalid` for a name that is not allowed.
  package func isDamaged(_ version: Int, of name: String) async throws(HostError) -> Bool {
    try HostName.check(model: name)
    do throws(HostError) {
      return try await send(
        "GET", ["models", name, "versions", String(version)], query: [("check", "true")],
        scopes: [.readModels]
      ).decode(HostAnswer.File.self).damaged == true
    } catch {
      guard error.code == .precondition || error.code == .invalid else { throw error }
      return false
    }
  }

  /// Downloads the file of a version and verifies its SHA-256.
  /// - Parameters:
  ///   - version: The number of the version.
  ///   - name: The name of the model.
  ///   - path: The path of the file; after an error, the file may be partial.
  ///   - isCancelled: Returns whether to stop; polled until the end.
  /// - Throws: The host's refusal, in its own words; `invalid` for a name that is not allowed; `unavailable`
  ///   if the file cannot be downloaded or differs from the version's; `cancelled`.
  package func download(
    _ version: Int, of name: String, to path: String,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws(HostError) {
    try HostName.check(model: name)
    let file = try await send("GET", ["models", name, "versions", String(version)], scopes: [.readModels])
      .decode(HostAnswer.File.self)
    let source = DownloadAddress(
      url: file.url, allowsHTTP: address.lowercased().hasPrefix("http://"), allowsFile: false)
    let loading = Task { () -> ModelStoreError? in
      do throws(ModelStoreError) {
        try await ModelDownloader.download(source, sha256: file.sha256, byteCount: file.size, to: path)
        return nil
      } catch {
        return error
      }
    }
    let watching = Task {
      while !Task.isCancelled, !isCancelled() { try? await Task.sleep(for: .milliseconds(20)) }
      loading.cancel()
    }
    let error = await loading.value
    watching.cancel()
    guard !isCancelled() else { throw .nothingPublished("file") }
    guard let error else { return }
    throw HostError(
      .unavailable, "Version \(version) of '\(name)' cannot be downloaded: \(error.message)",
      remedy: "Check the network and the log of the host, then try again", cause: error)
  }
}
#endif
