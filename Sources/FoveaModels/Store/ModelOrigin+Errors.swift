// SPDX-License-Identifier: Apache-2.0

/// Errors and remedies in the words of those who use the store: the command line's for a catalogue, those of Google's
/// names for a host.
extension ModelOrigin {
  /// The error for a model whose file or record is not what was stored.
  func damaged(_ name: String, _ what: String) -> ModelStoreError {
    switch self {
    case .catalogue:
      ModelStoreError(
        .damagedModel, "The model '\(name)' is damaged: \(what)",
        remedy: "Download it again with 'fovea model pull \(name)'", modelName: name)
    case .host:
      ModelStoreError(
        .damagedModel, "The downloaded model '\(name)' is damaged: \(what)",
        remedy: "Download it again with ModelManager.modelManager().download(_:conditions:)", modelName: name)
    }
  }

  /// The error for a model that is not in the store.
  func missing(_ name: String) -> ModelStoreError {
    switch self {
    case .catalogue(let catalogue):
      guard let entry = catalogue[name] else { return unknown(name, "There is no model") }
      let size = entry.byteCount.map { ByteText.short($0) + ", " } ?? ""
      return ModelStoreError(
        .notInstalled, "The model '\(name)' is not installed",
        remedy: "Download it (\(size)\(entry.license)) with 'fovea model pull \(name)'", modelName: name)
    case .host:
      if let error = invalidName(name) { return error }
      return ModelStoreError(
        .notInstalled, "The model '\(name)' has not been downloaded, so it cannot be deleted",
        remedy: "Check the name", modelName: name)
    }
  }

  /// The error for a name that the catalogue does not have.
  func unknown(_ name: String, _ what: String) -> ModelStoreError {
    var near: [String] = []
    if case .catalogue(let catalogue) = self { near = catalogue.names(near: name) }
    return ModelStoreError(
      .unknownModel, "\(what) named '\(name)'",
      remedy: near.isEmpty
        ? "Check the name; 'fovea model list' shows what there is"
        : "Did you mean \(near.joined(separator: " or "))? 'fovea model list' shows all", modelName: name)
  }

  /// The error for a text that cannot name a model on a host; nil for one that can.
  func invalidName(_ name: String) -> ModelStoreError? {
    guard !ModelName.isValid(name) else { return nil }
    let shown = String(decoding: name.utf8.prefix(80), as: UTF8.self)
    return ModelStoreError(
      .invalidName, name.isEmpty ? "The name of the model is empty" : "'\(shown)' cannot be a model's name",
      remedy:
        "Use 1 to \(ModelName.maxLength) letters, digits, '.', '_' and '-', a letter or digit first and no "
        + "two points in a row", modelName: name)
  }

  /// The error of a download, about a model and with a remedy that its reader can follow.
  func advised(_ error: ModelStoreError, about name: String) -> ModelStoreError {
    var error = error
    error.modelName = name
    if case .host = self, let remedy = Self.hostRemedies[error.code] { error.remedy = remedy }
    return error
  }

  /// What an app can do, which has no `fovea model pull` and no `--host`.
  private static let hostRemedies: [ModelStoreError.Code: String] = {
    let host = ModelHost.setting
    let again = "Download it again; it goes on where it ended"
    let network = "Check the network, the proxy (https_proxy) and the address in \(host)"
    let later = "Download it again later, or name another host in \(host)"
    return [
      .invalidOption: "Check the address in \(host)",
      .notFound: "Check the model's name, and the address in \(host)",
      .refused: "Check user name and password in the address of \(host)",
      .unreachable: network, .timeout: network,
      .interrupted: again, .cancelled: again,
      .serverError: later, .tooManyRequests: later, .wrongSize: later,
      .insecure: "Check the clock and the certificates (SSL_CERT_FILE), or name another host in \(host)",
      .diskFull: "Free some space, or name another folder in FOVEA_MODELS",
    ]
  }()
}
