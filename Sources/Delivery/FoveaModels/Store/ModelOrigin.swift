// SPDX-License-Identifier: Apache-2.0

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
