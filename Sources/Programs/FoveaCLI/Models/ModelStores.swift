// SPDX-License-Identifier: Apache-2.0

import FoveaModels

/// The two stores of the user: the catalogue's models, and those of a model host.
struct ModelStores {
  let catalogue: ModelStore
  let hosted: ModelStore

  /// The user's.
  init() throws(ModelStoreError) {
    catalogue = try .user()
    hosted = try .user(host: nil)
  }

  /// The store that a name belongs to: the catalogue's where it knows the name or has it, else the host's where that has it.
  func store(of name: String) throws(ModelStoreError) -> ModelStore {
    guard catalogue.catalogue[name] == nil, try !catalogue.installedNames().contains(name),
      try hosted.installedNames().contains(name)
    else { return catalogue }
    return hosted
  }

  /// Models and their stores: those with these names, all that are installed where there are none.
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
