// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModels

/// What `--model` and its like mean: a path, the name of an embedded model, or that of a model that was pulled.
enum ModelLookup {
  /// The model that an argument names.
  ///
  /// Nothing is downloaded. A file goes before an embedded model of its name.
  static func source(_ argument: String) throws(FoveaError) -> ModelSource {
    if let embedded = EmbeddedModel(rawValue: argument), FileStatus(FilePath(argument)) == nil {
      return .embedded(embedded)
    }
    return .file(try path(argument))
  }

  /// The model, nil where none is named.
  static func source(_ argument: String?) throws(FoveaError) -> ModelSource? {
    guard let argument else { return nil }
    return try source(argument) as ModelSource
  }

  /// The path of the model file; nothing is downloaded.
  static func path(_ argument: String) throws(FoveaError) -> String {
    if InputExpander.isAddress(argument) {
      throw FoveaError(
        .inputIsURL,
        "this is an address, and models are downloaded by name alone",
        remedy: "'fovea model list' shows the names; download any other model first and give the file",
        subject: argument)
    }
    do throws(ModelStoreError) { return try ModelStore.path(for: argument) } catch {
      var error = FoveaError(error)
      if error.code == ModelStoreCode.unknownModel,
        let names = names(near: argument)
      {
        error.remedy = "Did you mean \(names)? \(term: .modelList) shows all"
      }
      throw error
    }
  }

  /// The embedded models and those of the catalogue that have a name like this one; nil where there is none.
  private static func names(near argument: String) -> String? {
    let others = (try? ModelCatalogue.standard())?.entries.map(\.name) ?? []
    let near = NameDistance.nearest(to: argument, among: EmbeddedModel.allCases.map(\.rawValue) + others)
    return near.isEmpty ? nil : near.joined(separator: " or ")
  }
}
