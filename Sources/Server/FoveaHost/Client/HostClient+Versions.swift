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
    let reply: Reply
    do throws(HostError) { reply = try await model(name) } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
    return try reply.decode(HostAnswer.Model.self).channels[channel]
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
