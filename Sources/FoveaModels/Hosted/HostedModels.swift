// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// Models that an app publishes on a host of its own and downloads by name; a file may change, the name stays.
///
/// They lie in the folder `.hosted` of the user's models, so that no name of the catalogue is one of them:
///
/// ```
/// .hosted/
///   my-model/
///     current.json              the version in use; replaced by renaming, so there is always one
///     61d598093ed03ed4/         a version, named by the first 16 digits of its SHA-256; never changed
///       model.tflite
///   .partial/                   what of a download has arrived, as in `StoreLayout`
/// ```
///
/// The version before the one in use is kept, so that a detector that was made with it goes on.
package struct HostedModels: Sendable {
  /// The host's text; nil where none is set.
  ///
  /// It is looked at when something is to be downloaded.
  package let host: String?
  let layout: StoreLayout
  var settings = TransferSettings()

  /// The models of the user who runs the process.
  /// - Parameter host: The host; nil or blank for that of the variable `FOVEA_MODEL_HOST`.
  /// - Returns: What was downloaded and can be downloaded.
  /// - Throws: `storeUnreadable` where there is no folder for models.
  package static func user(host: String? = nil) throws(ModelStoreError) -> HostedModels {
    HostedModels(
      folder: try StoreLayout.userFolder(),
      host: ModelHost.unlessBlank(host) ?? Environment.value(ModelHost.variable))
  }

  /// Models in a folder of your choice.
  /// - Parameters:
  ///   - folder: The folder for models, which need not exist yet.
  ///   - host: The host; nil or blank for none.
  package init(folder: String, host: String?) {
    layout = StoreLayout(root: folder + "/.hosted")
    self.host = ModelHost.unlessBlank(host)
  }

  /// The names of the models that were downloaded, sorted; those that are damaged included.
  /// - Throws: `storeUnreadable`.
  package func names() throws(ModelStoreError) -> [String] {
    var names: [String] = []
    for name in try FileSystem.names(in: layout.root)
    where ModelName.isValid(name) && FileSystem.exists(layout.record(name)) {
      names.append(name)
    }
    return names
  }

  /// A model that was downloaded, without a look at the network.
  ///
  /// - Parameter name: What it is called on the host.
  /// - Returns: nil where it was not downloaded, or cannot be a model's name.
  /// - Throws: `damagedModel` where its file is missing or has another size; `storeUnreadable`.
  package func model(named name: String) throws(ModelStoreError) -> HostedModel? {
    guard ModelName.isValid(name), let record = try record(of: name) else { return nil }
    let model = HostedModel(record, name: name, layout: layout)
    guard let size = FileSystem.size(of: model.path) else {
      throw HostedRecord.damaged(name, "there is no file '\(model.path)'")
    }
    guard size == model.byteCount else {
      throw HostedRecord.damaged(name, "'\(model.path)' has \(size) bytes instead of \(model.byteCount)")
    }
    return model
  }

  /// Removes a model with all its versions, and what is there of an interrupted download.
  ///
  /// A process that has the model open keeps what it has.
  /// - Parameter name: What it is called on the host.
  /// - Throws: `notInstalled`, `invalidName`, `storeUnwritable`.
  package func remove(_ name: String) throws(ModelStoreError) {
    try Self.check(name)
    let isInstalled = FileSystem.exists(layout.folder(name))
    guard isInstalled || FileSystem.exists(layout.part(name)) else {
      throw ModelStoreError(
        .notInstalled, "The model '\(name)' has not been downloaded, so it cannot be deleted",
        remedy: "Check the name", modelName: name)
    }
    if isInstalled {
      // Out of the way first, in one step: nobody meets half a model.
      try FileSystem.makeFolder(layout.partialFolder)
      let grave = layout.partialFolder + "/removed-\(UInt64.random(in: 0...UInt64.max))"
      try FileSystem.move(layout.folder(name), to: grave)
      try FileSystem.remove(grave)
    }
    try FileSystem.remove(layout.tag(name))
    try FileSystem.remove(layout.part(name))
  }

  func record(of name: String) throws(ModelStoreError) -> HostedRecord? {
    let path = layout.record(name)
    guard let json = try FileSystem.contents(of: path, limit: 1 << 16) else { return nil }
    return try HostedRecord(json: json, name: name, path: path)
  }

  /// - Throws: `invalidName`.
  static func check(_ name: String) throws(ModelStoreError) {
    guard !ModelName.isValid(name) else { return }
    let shown = String(decoding: name.utf8.prefix(80), as: UTF8.self)
    throw ModelStoreError(
      .invalidName, name.isEmpty ? "The name of the model is empty" : "'\(shown)' cannot be a model's name",
      remedy:
        "Use 1 to \(ModelName.maxLength) letters, digits, '.', '_' and '-', a letter or digit first and no "
        + "two points in a row", modelName: name)
  }
}
