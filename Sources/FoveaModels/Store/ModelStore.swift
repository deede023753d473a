// SPDX-License-Identifier: Apache-2.0

/// The models that were downloaded, in a folder of the user's.
///
/// A file is there under its name only after its SHA-256 was verified. Any number of processes may use a store at the
/// same time. Nothing here opens a network connection; `ModelDownloader` does.
public struct ModelStore: Sendable, Hashable {
  /// The folder, which need not exist yet.
  public var folder: String { layout.root }
  /// The models that can be had.
  public let catalogue: ModelCatalogue
  let layout: StoreLayout

  /// The store of the user who runs the process: `FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME` or
  /// `~/.local/share`; with the catalogue that comes with the library.
  ///
  /// - Throws: `storeUnreadable` where none of the three variables is set, HOME included.
  public static func user() throws(ModelStoreError) -> ModelStore {
    ModelStore(folder: try StoreLayout.userFolder(), catalogue: try .standard())
  }

  /// A store in a folder of your choice.
  ///
  /// - Parameters:
  ///   - folder: A path, which need not exist yet; the first download makes it.
  ///   - catalogue: The models that can be had.
  public init(folder: String, catalogue: ModelCatalogue) {
    layout = StoreLayout(root: folder)
    self.catalogue = catalogue
  }

  /// The names of the models in the store, sorted; those that are damaged included.
  ///
  /// - Throws: `storeUnreadable`. A folder that does not exist is an empty store.
  public func installedNames() throws(ModelStoreError) -> [String] {
    var names: [String] = []
    for name in try FileSystem.names(in: folder)
    where ModelName.isValid(name) && FileSystem.exists(layout.record(name)) {
      names.append(name)
    }
    return names
  }

  /// A model of the store.
  ///
  /// - Parameter name: Its name.
  /// - Returns: nil where it was not downloaded.
  /// - Throws: `damagedModel` where its file is missing or has another size (its content is not looked at, `verify`
  ///   does); `storeUnreadable`.
  public func installedModel(named name: String) throws(ModelStoreError) -> InstalledModel? {
    guard ModelName.isValid(name) else { return nil }
    let path = layout.record(name)
    guard let json = try FileSystem.contents(of: path, limit: 1 << 16) else { return nil }
    let model = InstalledModel(
      try StoreRecord(json: json, name: name, path: path), name: name, layout: layout)
    guard let size = FileSystem.size(of: model.path) else {
      throw StoreRecord.damaged(name, "there is no file '\(model.path)'")
    }
    guard size == model.byteCount else {
      throw StoreRecord.damaged(name, "'\(model.path)' has \(size) bytes instead of \(model.byteCount)")
    }
    return model
  }

  /// Removes a model with all its versions, and what is there of an interrupted download.
  ///
  /// A process that has the model open keeps what it has.
  /// - Parameter name: Its name; a damaged model can be removed, too.
  /// - Throws: `notInstalled`, `unknownModel`, `storeUnwritable`.
  public func remove(_ name: String) throws(ModelStoreError) {
    let sha256 = catalogue[name]?.sha256
    let hasPart = sha256.map { FileSystem.exists(layout.part($0)) } ?? false
    let isInstalled = ModelName.isValid(name) && FileSystem.exists(layout.folder(name))
    guard isInstalled || hasPart else { throw missing(name) }
    if isInstalled {
      // Out of the way first, in one step: nobody meets half a model.
      try FileSystem.makeFolder(layout.partialFolder)
      let grave = layout.partialFolder + "/removed-\(UInt64.random(in: 0...UInt64.max))"
      try FileSystem.move(layout.folder(name), to: grave)
      try FileSystem.remove(grave)
    }
    if let sha256, hasPart {
      try FileSystem.remove(layout.part(sha256))
      try FileSystem.remove(layout.tag(sha256))
    }
  }

  /// The error for a model that is not in the store.
  func missing(_ name: String) -> ModelStoreError {
    guard let entry = catalogue[name] else { return unknown(name, "There is no model") }
    let size = entry.byteCount.map { ByteText.short($0) + ", " } ?? ""
    return ModelStoreError(
      .notInstalled, "The model '\(name)' is not installed",
      remedy: "Download it (\(size)\(entry.license)) with 'fovea model pull \(name)'", modelName: name)
  }

  /// The error for a name that nobody knows.
  func unknown(_ name: String, _ what: String) -> ModelStoreError {
    let near = catalogue.names(near: name)
    return ModelStoreError(
      .unknownModel, "\(what) named '\(name)'",
      remedy: near.isEmpty
        ? "Check the name; 'fovea model list' shows what there is"
        : "Did you mean \(near.joined(separator: " or "))? 'fovea model list' shows all", modelName: name)
  }
}
