// SPDX-License-Identifier: Apache-2.0

extension ModelStore {
  /// Resolves an argument such as that of `--model`: a path, or the name of an installed model, from the
  /// catalogue first, then from a model host.
  ///
  /// An existing file wins over a name. Nothing is downloaded.
  /// - Parameter argument: A path, or a name.
  /// - Returns: A path. An argument that cannot be a name is returned unchanged, for the loader to report.
  /// - Throws: `notInstalled` with the command that downloads it, `unknownModel` with the closest names,
  ///   `damagedModel`, `storeUnreadable`.
  public static func path(for argument: String) throws(ModelStoreError) -> String {
    // A path needs no store, so the catalogue is not read.
    guard isName(argument) else { return argument }
    let store = try ModelStore.user()
    if store.catalogue[argument] == nil, try store.installedModel(named: argument) == nil,
      let hosted = try ModelStore.user(host: nil).installedModel(named: argument)
    {
      return hosted.path
    }
    return try store.path(for: argument)
  }

  /// Resolves an argument: a path, or the name of a model in this store.
  ///
  /// - Parameter argument: A path, or a name.
  /// - Returns: A path.
  /// - Throws: The codes of the static function of this name.
  public func path(for argument: String) throws(ModelStoreError) -> String {
    guard Self.isName(argument) else { return argument }
    if let model = try installedModel(named: argument) { return model.path }
    if catalogue[argument] != nil { throw origin.missing(argument) }
    throw origin.unknown(argument, "There is no file and no model")
  }

  /// Returns whether the argument can be a model's name and nothing exists at that path.
  private static func isName(_ argument: String) -> Bool {
    ModelName.isValid(argument) && !argument.lowercased().hasSuffix(".tflite") && !FileSystem.exists(argument)
  }
}
