// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Where the models of a store come from.
enum ModelOrigin: Sendable, Hashable {
  /// A catalogue, which has the SHA-256 of each model.
  case catalogue(ModelCatalogue)
  /// A host of an app's own, whose files may change: the text of a `HostAddress`, which is read when something is to be
  /// downloaded; nil where none is set.
  case host(String?)

  /// What a download of a model is called while it is not whole; nil for a model that has none.
  func partName(of name: String) -> String? {
    switch self {
    case .catalogue(let catalogue): catalogue[name]?.sha256
    case .host: name
    }
  }

  /// What the store calls a model that is asked for by one of its names.
  func storedName(of name: String) -> String {
    switch self {
    case .catalogue(let catalogue): catalogue[name]?.name ?? name
    case .host: name
    }
  }
}

extension ModelOrigin {
  /// The error for a model whose file or record is not what was stored.
  func damaged(_ name: String, _ what: String) -> ModelStoreError {
    let model = if case .host = self { "The downloaded model" } else { "The model" }
    return ModelStoreError(
      .damagedModel, "\(model) '\(name)' is damaged: \(what)",
      remedy: "Download it again with \(term: .download(name))")
  }

  /// The error for a model that is not in the store.
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

  /// The error for a way back that is not there.
  func noPreviousVersion(_ name: String) -> ModelStoreError {
    ModelStoreError(
      .noPreviousVersion, "There is no version of the model '\(name)' before the one in use",
      remedy: "A version is kept from the moment at which another one replaces it")
  }

  /// The error for a name that the catalogue does not have.
  func unknown(_ name: String, _ what: String) -> ModelStoreError {
    var near: [String] = []
    if case .catalogue(let catalogue) = self { near = catalogue.names(near: name) }
    return ModelStoreError(
      .unknownModel, "\(what) named '\(name)'",
      remedy: near.isEmpty
        ? "Check the name; \(term: .modelList) shows what there is"
        : "Did you mean \(near.joined(separator: " or "))? \(term: .modelList) shows all")
  }

  /// The error for a text that cannot name a model on a host; nil for one that can.
  func invalidName(_ name: String) -> ModelStoreError? {
    guard !ModelName.isValid(name) else { return nil }
    let shown = String(decoding: name.utf8.prefix(80), as: UTF8.self)
    return ModelStoreError(
      .invalidName, name.isEmpty ? "The name of the model is empty" : "'\(shown)' cannot be a model's name",
      remedy:
        "Use 1 to \(ModelName.maxLength) letters, digits, '.', '_' and '-', a letter or digit first and no "
        + "two points in a row")
  }
}
