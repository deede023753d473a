// SPDX-License-Identifier: Apache-2.0

import CModelCatalogue
import FoveaCore
import FoveaMetadata

/// A list of models that can be downloaded by name, each with licence, address and checksum.
public struct ModelCatalogue: Sendable, Hashable {
  /// The models, in the order of the list.
  public let entries: [CatalogueEntry]

  /// Returns the built-in catalogue.
  ///
  /// - Returns: The catalogue, read from memory; nothing is downloaded.
  /// - Throws: `invalidCatalogue`, which the library's tests rule out.
  public static func standard() throws(ModelStoreError) -> ModelCatalogue {
    // SAFETY: a constant of the executable, which lives as long as the process.
    let text = unsafe UnsafeBufferPointer(
      start: fovea_model_catalogue_start(), count: fovea_model_catalogue_size)
    return unsafe try ModelCatalogue(json: Array(text))
  }

  init(entries: [CatalogueEntry]) { self.entries = entries }

  /// Reads your own list.
  ///
  /// - Parameter json: An object with `"layout": 1` and `"models"`: an array of objects with `name`, `task`
  ///   (`detect`, `label` or `segment`), `license`, `url` (`https://`), `sha256`, and if known `family`,
  ///   `labels` (their number), `input` (`[width, height]`), `bytes`, and shorter names as `aliases`.
  /// - Throws: `invalidCatalogue` if the JSON has a different structure, a name or file name could lead out
  ///   of its folder, or two models have the same name.
  public init(json: [UInt8]) throws(ModelStoreError) {
    let file: CatalogueFile
    do { file = try JSONValue.decode(CatalogueFile.self, from: json) } catch {
      throw Self.invalid(error.located)
    }
    guard file.layout == 1 else {
      throw Self.invalid("its layout is \(file.layout), and this version reads layout 1")
    }
    var entries: [CatalogueEntry] = []
    var names: Set<String> = []
    for model in file.models {
      let entry = try model.entry()
      // File systems that ignore case would put both into one folder.
      for name in [entry.name] + entry.aliases where !names.insert(name.lowercased()).inserted {
        throw Self.invalid("two models are named '\(name)'")
      }
      entries.append(entry)
    }
    self.entries = entries
  }

  /// The model with that name or alias; nil if there is none.
  public subscript(name: String) -> CatalogueEntry? {
    entries.first { $0.name == name || $0.aliases.contains(name) }
  }

  /// Returns at most three names similar to `text`, the most similar first; empty if none is similar.
  package func names(near text: String) -> [String] {
    NameDistance.nearest(to: text, among: entries.map(\.name))
  }

  static func invalid(_ reason: String) -> ModelStoreError {
    ModelStoreError(
      .invalidCatalogue, "The catalogue of models cannot be used: \(reason)",
      remedy: "Correct the catalogue, or use the one that comes with Fovea")
  }
}
