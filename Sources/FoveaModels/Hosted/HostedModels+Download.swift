// SPDX-License-Identifier: Apache-2.0

extension HostedModels {
  /// Downloads a model and makes it the one in use; where the newest is there already, nothing is transferred.
  ///
  /// What was interrupted is continued where the host's tag (ETag) allows it. Where another process downloads the same
  /// model, its end is waited for. The model in use stays until the new one has arrived and was looked at.
  /// - Parameters:
  ///   - name: What it is called on the host.
  ///   - progress: Called for each piece that arrives, by one thread at a time.
  /// - Returns: The model, ready to be loaded.
  /// - Throws: `invalidName`, `hostMissing`, `invalidOption` for the host, `notFound`, `invalidModel`, `diskFull`,
  ///   `cancelled` and the other codes of a download.
  func download(
    _ name: String, progress: @escaping @Sendable (DownloadProgress) -> Void
  ) async throws(ModelStoreError) -> HostedModel {
    do throws(ModelStoreError) {
      return try await HostedDownload(name: name, models: self, progress: progress).run()
    } catch {
      var named = error
      named.modelName = name
      if let remedy = Self.remedy(for: error.code) { named.remedy = remedy }
      throw named
    }
  }

  /// What to do where the failure is one of the transfer; the command line's remedies do not fit here.
  private static func remedy(for code: ModelStoreError.Code) -> String? {
    let host = ModelHost.setting
    switch code {
    case .notFound: return "Check the model's name, and the address in \(host)"
    case .refused: return "Check user name and password in the address of \(host)"
    case .unreachable, .timeout:
      return "Check the network, the proxy (https_proxy) and the address in \(host)"
    case .interrupted, .cancelled: return "Download it again; it goes on where it ended"
    case .serverError, .tooManyRequests, .wrongSize:
      return "Download it again later, or name another host in \(host)"
    case .insecure:
      return "Check the clock and the certificates (SSL_CERT_FILE), or name another host in \(host)"
    case .diskFull: return "Free some space, or name another folder in FOVEA_MODELS"
    default: return nil
    }
  }
}
