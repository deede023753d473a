// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModels

/// Resolves `--model` and similar options: a path, or the name of an embedded or installed model.
enum ModelLookup {
  /// Returns the model that an argument names.
  ///
  /// Nothing is downloaded. A file takes precedence over an embedded model with the same name.
  static func source(_ argument: String) throws(FoveaError) -> ModelSource {
    if let embedded = EmbeddedModel(rawValue: argument), FileStatus(FilePath(argument)) == nil {
      return .embedded(embedded)
    }
    return .file(try path(argument))
  }

  /// Returns the model that an argument names; nil if there is no argument.
  static func source(_ argument: String?) throws(FoveaError) -> ModelSource? {
    guard let argument else { return nil }
    return try source(argument) as ModelSource
  }

  /// Returns the path of the model file; nothing is downloaded.
  static func path(_ argument: String) throws(FoveaError) -> String {
    if InputExpander.isAddress(argument) {
      throw FoveaError(
        .inputIsURL,
        "this is a URL, and models are downloaded only by name",
        remedy: "'fovea model list' shows the names; download any other model first and give the file",
        subject: argument)
    }
    do throws(ModelStoreError) { return try ModelStore.path(for: argument) } catch {
      var error = FoveaError(error)
      if error.code == ModelStoreCode.unknownModel, let remedy = remedy(unknown: argument) {
        error.remedy = remedy
      }
      throw error
    }
  }

  /// Returns the remedy for an unknown name: similar names, and the download from the model host if one is
  /// set; nil without either.
  private static func remedy(unknown argument: String) -> Advice? {
    let hasHost = (try? HostAddress.fromEnvironment()) != nil
    switch (names(near: argument), hasHost) {
    case (nil, false): return nil
    case (nil, true):
      return "Download it from your model host with \(term: .download(argument)), or check the name"
    case (let names?, false): return "Did you mean \(names)? \(term: .modelList) shows all"
    case (let names?, true):
      return "Did you mean \(names)? If not, \(term: .download(argument)) downloads it from your model host"
    }
  }

  /// Returns the embedded and the catalogue's models with a similar name; nil if there are none.
  private static func names(near argument: String) -> String? {
    let others = (try? ModelCatalogue.standard())?.entries.map(\.name) ?? []
    let near = NameDistance.nearest(to: argument, among: EmbeddedModel.allCases.map(\.rawValue) + others)
    return near.isEmpty ? nil : near.joined(separator: " or ")
  }
}
