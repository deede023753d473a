// SPDX-License-Identifier: Apache-2.0

import FoveaModels

/// The user's two stores: one for the catalogue's models, one for those of a model host.
struct ModelStores {
  let catalogue: ModelStore
  let hosted: ModelStore

  /// Opens the user's stores.
  init() throws(ModelStoreError) {
    catalogue = try .user()
    hosted = try .user(host: nil)
  }

  /// Returns the store for a model name: the host's if only that store has the model and the catalogue does
  /// not list it, else the catalogue's.
  func store(of name: String) throws(ModelStoreError) -> ModelStore {
    guard catalogue.catalogue[name] == nil, try !catalogue.installedNames().contains(name),
      try hosted.installedNames().contains(name)
    else { return catalogue }
    return hosted
  }

  /// Returns the models with these names and their stores; without names, all installed models.
  func all(_ names: [String]) throws(ModelStoreError) -> [(name: String, store: ModelStore)] {
    guard names.isEmpty else {
      var found: [(name: String, store: ModelStore)] = []
      for name in names { found.append((name, try store(of: name))) }
      return found
    }
    return try catalogue.installedNames().map { ($0, catalogue) }
      + hosted.installedNames().map { ($0, hosted) }
  }
}
