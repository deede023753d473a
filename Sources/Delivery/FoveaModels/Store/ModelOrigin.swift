// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The source of a store's models.
enum ModelOrigin: Sendable, Hashable {
  /// A catalogue, which lists the SHA-256 of each model.
  case catalogue(ModelCatalogue)
  /// An app's own host, whose files may change: the text of a `HostAddress`, parsed at download time; nil if
  /// none is set.
  case host(String?)

  /// Returns the name of a model's partial file; nil for a model that the catalogue lacks.
  func partialFileName(of name: String) -> String? {
    switch self {
    case .catalogue(let catalogue): catalogue[name]?.sha256
    case .host: name
    }
  }

  /// Returns the name under which the store keeps a model, given its name or an alias.
  func storedName(of name: String) -> String {
    switch self {
    case .catalogue(let catalogue): catalogue[name]?.name ?? name
    case .host: name
    }
  }
}

extension ModelOrigin {
  /// Returns the error for a model whose file or record has changed since it was stored.
  func damaged(_ name: String, _ what: String) -> ModelStoreError {
    let model = if case .host = self { "The downloaded model" } else { "The model" }
    return ModelStoreError(
      .damagedModel, "\(model) '\(name)' is damaged: \(what)",
      remedy: "Download it again with \(term: .download(name))")
  }

  /// Returns the error for a model that is not in the store.
  func missing(_ name: String) -> ModelStoreError {
    switch self {
    case .catalogue(let catalogue):
      guard let entry = catalogue[name] else { return unknown(name, "There is no model") }
      let size = entry.byteCount.map { DecimalText.bytes($0) + ", " } ?? ""
      return ModelStoreError(
        .notInstalled, "The model '\(name)' is not installed",
        remedy: "Download it (\(size)\(entry.license)) with \(term: .download(name))")
    case .host:
      if let error = invalidName(name) { return error }
      return ModelStoreError(
        .notInstalled, "The model '\(name)' has not been downloaded", remedy: "Check the name")
    }
  }

  /// Returns the error for a rollback without a previous version.
  func noPreviousVersion(_ name: String) -> ModelStoreError {
    ModelStoreError(
      .noPreviousVersion, "The model '\(name)' has no previous version",
      remedy: "Install another version first; the replaced one is kept")
  }

  /// Returns the error for a name that the catalogue lacks.
  func unknown(_ name: String, _ what: String) -> ModelStoreError {
    var near: [String] = []
    if case .catalogue(let catalogue) = self { near = catalogue.names(near: name) }
    return ModelStoreError(
      .unknownModel, "\(what) named '\(name)'",
      remedy: near.isEmpty
        ? "Check the name; \(term: .modelList) lists the models"
        : "Did you mean \(near.joined(separator: " or "))? \(term: .modelList) shows all")
  }

  /// Returns the error for an invalid model name; nil for a valid one.
  func invalidName(_ name: String) -> ModelStoreError? {
    guard !ModelName.isValid(name) else { return nil }
    let shown = String(decoding: name.utf8.prefix(80), as: UTF8.self)
    return ModelStoreError(
      .invalidName, name.isEmpty ? "The name of the model is empty" : "'\(shown)' cannot be a model's name",
      remedy:
        "Use 1 to \(ModelName.maxLength) letters, digits, '.', '_' and '-', a letter or digit first and no "
        + "two dots in a row")
  }
}
