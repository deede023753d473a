// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// What `current.json` says: which version of a model is in use, and where it came from.
struct StoreRecord: Codable, Hashable {
  var layout: Int
  var version: String
  /// The version that was in use before and is still there.
  var previous: String?
  var file: String
  var bytes: Int
  var sha256: String
  var license: String
  var source: Source

  struct Source: Codable, Hashable {
    /// `catalogue`; other kinds may come.
    var kind: String
    var url: String
  }

  init(_ entry: CatalogueEntry, bytes: Int, previous: String?, url: String) {
    layout = StoreLayout.version
    version = StoreLayout.version(sha256: entry.sha256)
    self.previous = previous
    file = StoreLayout.modelFile
    self.bytes = bytes
    sha256 = entry.sha256
    license = entry.license
    source = Source(kind: "catalogue", url: url)
  }

  /// Reads a record; nothing in it leads out of the model's folder.
  /// - Throws: `damagedModel`.
  init(json: [UInt8], name: String, path: String) throws(ModelStoreError) {
    do {
      self = try UntrustedJSON().decode(StoreRecord.self, from: json[...])
    } catch {
      throw Self.damaged(name, "'\(path)' is not what was written: \(error.reason)")
    }
    guard layout == StoreLayout.version else {
      throw ModelStoreError(
        .storeUnreadable, "'\(path)' has layout \(layout), and this version of Fovea reads layout 1",
        remedy: "Use a newer Fovea, or another folder for models in FOVEA_MODELS", modelName: name)
    }
    guard ModelName.isFileName(version), ModelName.isFileName(file),
      previous.map(ModelName.isFileName) ?? true,
      ModelName.isChecksum(sha256), bytes > 0
    else { throw Self.damaged(name, "'\(path)' is not what was written") }
  }

  func json() -> [UInt8] { StoreJSON.encode(self) }

  static func damaged(_ name: String, _ what: String) -> ModelStoreError {
    ModelStoreError(
      .damagedModel, "The model '\(name)' is damaged: \(what)",
      remedy: "Download it again with 'fovea model pull \(name)'", modelName: name)
  }
}
