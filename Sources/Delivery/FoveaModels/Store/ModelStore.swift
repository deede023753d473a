// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The downloaded models, in a folder of the user.
///
/// A file gets its name only after it has been verified. Any number of processes may use a store at the same
/// time. Nothing here opens a network connection; `ModelDownloader` does.
public struct ModelStore: Sendable, Hashable {
  let layout: StoreLayout
  let origin: ModelOrigin

  /// The folder, which need not exist yet.
  public var folder: String { layout.root }

  /// The models that can be downloaded by name; empty for the store of a model host, which has no list.
  public var catalogue: ModelCatalogue {
    switch origin {
    case .catalogue(let catalogue): catalogue
    case .host: ModelCatalogue(entries: [])
    }
  }

  /// Returns the current user's store, with the built-in catalogue: `FOVEA_MODELS`, else `fovea/models` in
  /// `XDG_DATA_HOME` or `~/.local/share`.
  ///
  /// - Throws: `storeUnreadable` if none of the variables, including HOME, is set.
  public static func user() throws(ModelStoreError) -> ModelStore {
    ModelStore(folder: try StoreLayout.userFolder(), catalogue: try .standard())
  }

  /// Creates a store in a folder of your choice.
  ///
  /// - Parameters:
  ///   - folder: A path, which need not exist yet; the first download creates it.
  ///   - catalogue: The models that can be downloaded by name.
  public init(folder: String, catalogue: ModelCatalogue) {
    layout = StoreLayout(root: folder)
    origin = .catalogue(catalogue)
  }

  /// Returns the store for models that an app publishes on its own host: a file may change while its name
  /// stays the same.
  ///
  /// It is the folder `.hosted` of the user's models, so its names cannot clash with the catalogue's.
  /// - Parameter host: The host; nil or blank uses the variable `FOVEA_MODEL_HOST`.
  /// - Returns: The store.
  /// - Throws: `storeUnreadable` if there is no folder for models.
  package static func user(host: String?) throws(ModelStoreError) -> ModelStore {
    ModelStore(
      folder: try StoreLayout.userFolder(),
      host: HostAddress.unlessBlank(host) ?? Environment.value(HostAddress.variable))
  }

  /// Creates a store for a host's models, in a folder of your choice.
  /// - Parameters:
  ///   - folder: The folder for models, which need not exist yet.
  ///   - host: The host; nil or blank if there is none.
  package init(folder: String, host: String?) {
    layout = StoreLayout(root: folder + "/.hosted")
    origin = .host(HostAddress.unlessBlank(host))
  }

  /// Returns the names of the models in the store, sorted, including damaged ones.
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

  /// Returns a model of the store.
  ///
  /// - Parameter name: The model's name, or an alias in the catalogue.
  /// - Returns: nil if it was not downloaded.
  /// - Throws: `damagedModel` if its file is missing or has another size (the content is not read, `verify`
  ///   does that); `storeUnreadable`.
  public func installedModel(named name: String) throws(ModelStoreError) -> InstalledModel? {
    let name = origin.storedName(of: name)
    guard ModelName.isValid(name), let record = try record(of: name) else { return nil }
    let model = InstalledModel(record, name: name, layout: layout)
    guard let size = FileSystem.size(of: model.path) else {
      throw origin.damaged(name, "there is no file '\(model.path)'")
    }
    guard size == model.byteCount else {
      throw origin.damaged(name, "'\(model.path)' has \(size) bytes instead of \(model.byteCount)")
    }
    return model
  }

  /// Returns the record of a model; nil if it was not downloaded.
  func record(of name: String) throws(ModelStoreError) -> ModelRecord? {
    let path = layout.record(name)
    guard let json = try FileSystem.contents(of: path, limit: 1 << 16) else { return nil }
    return try ModelRecord(json: json, name: name, path: path, origin: origin)
  }

  func versions(of name: String) -> VersionFolder { VersionFolder(name: name, store: self) }

  /// Removes a model with all its versions and the partial file of an interrupted download.
  ///
  /// A process that has the model open can go on using it. A running download continues and installs the
  /// model again.
  /// - Parameter name: The model's name, or an alias in the catalogue; damaged models can be removed,
  ///   too.
  /// - Throws: `notInstalled`, `unknownModel`, `storeUnwritable`.
  public func remove(_ name: String) throws(ModelStoreError) {
    let name = origin.storedName(of: name)
    guard ModelName.isValid(name) else { throw origin.missing(name) }
    let part = origin.partialFileName(of: name)
    let isInstalled = FileSystem.exists(layout.folder(name))
    let parts =
      try part.map { part throws(ModelStoreError) in
        try PartialFileNames(name: part, layout: layout).present()
      } ?? []
    guard isInstalled || !parts.isEmpty else { throw origin.missing(name) }
    if isInstalled { try versions(of: name).remove() }
    guard let part, !parts.isEmpty else { return }
    switch try StoreLock.attempt(layout.lock(part)) {
    case .held: return
    case .unknown: try PartialFileNames(name: part, layout: layout).remove()
    case .taken(let lock):
      defer { lock.discard() }
      try PartialFileNames(name: part, layout: layout).remove()
    }
  }
}
