// SPDX-License-Identifier: Apache-2.0

extension ModelStore {
  /// The file that an argument such as `--model`'s means: a path, or the name of a model of the user's: the catalogue's of
  /// that name, else that of a model host.
  ///
  /// Something that exists at that path wins. Nothing is downloaded.
  /// - Parameter argument: A path, or a name.
  /// - Returns: A path. An argument that cannot be a name is returned as it is, for the loader to say what is wrong.
  /// - Throws: `notInstalled` with the command that downloads it, `unknownModel` with the nearest names,
  ///   `damagedModel`, `storeUnreadable`.
  public static func path(for argument: String) throws(ModelStoreError) -> String {
    // What is a path needs no store, and starts without reading the catalogue.
    guard isName(argument) else { return argument }
    let store = try ModelStore.user()
    if store.catalogue[argument] == nil, try store.installedModel(named: argument) == nil,
      let hosted = try ModelStore.user(host: nil).installedModel(named: argument)
    {
      return hosted.path
    }
    return try store.path(for: argument)
  }

  /// The file that an argument means: a path, or the name of a model in this store.
  ///
  /// - Parameter argument: A path, or a name.
  /// - Returns: A path.
  /// - Throws: As the static function of this name.
  public func path(for argument: String) throws(ModelStoreError) -> String {
    guard Self.isName(argument) else { return argument }
    if let model = try installedModel(named: argument) { return model.path }
    if catalogue[argument] != nil { throw origin.missing(argument) }
    throw origin.unknown(argument, "There is no file and no model")
  }

  /// Whether nothing is at this path, and it can be a model's name.
  private static func isName(_ argument: String) -> Bool {
    ModelName.isValid(argument) && !argument.lowercased().hasSuffix(".tflite") && !FileSystem.exists(argument)
  }
}
