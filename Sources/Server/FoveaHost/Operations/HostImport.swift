// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A folder of models to publish: Firebase's `hosted_models`, or an export of ``HostExport``.
package struct HostImport: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    package var path: String
    /// Whether the path is that of an AutoML folder, which becomes one file with its labels inside.
    package var isFolder = false
    /// The expected SHA-256; nil if the folder does not declare it.
    package var sha256: String?
    /// The expected size in bytes; nil if the folder does not declare it.
    package var size: Int64?
    package var notes: String
    /// The channels that point at it.
    package var channels: [String]
  }

  package struct Model: Sendable, Equatable {
    package var name: String
    package var tags: [String]
    /// In the order in which they become versions.
    package var files: [File]
  }

  package var models: [Model]
  /// The paths of Remote Config templates.
  package var configs: [ConfigNamespace: String] = [:]
  /// Sentences about folders, and files that look like models, that are not imported.
  package private(set) var skipped: [String] = []
  /// The errors of files and folders whose names no model can have, each with the path as its subject.
  package private(set) var refused: [HostError] = []

  /// Reads a folder without opening its model files.
  /// - Parameter folder: A folder with the `manifest.json` of an export; or with a `NAME.tflite` for each
  ///   model, which becomes stable, and a folder `NAME` for each AutoML model. Other entries are left out;
  ///   ``skipped`` lists those that may be models, and folders; ``refused`` those with names that are not
  ///   allowed.
  /// - Throws: `invalid` if the manifest is invalid, or there is no model; `unavailable`.
  package init(_ folder: String) throws(HostError) {
    let names: [String]
    do throws(SystemError) { names = try Folder.names(in: folder).sorted() } catch {
      throw HostError(
        .invalid, "The folder \(folder.printable) cannot be read: \(error.message)",
        remedy: "Choose another folder")
    }
    let manifest = names.contains("manifest.json") ? try Self.manifest(in: folder) : nil
    let automl = manifest.flatMap { HostManifest.OfAutoML($0) }
    guard !((manifest == nil || automl != nil) && Self.isModel(names, automl)) else {
      throw HostError(
        .invalid, "The folder \(folder.printable) is a single AutoML model, not a folder of models",
        remedy: "Publish it: \(call: "host publish FOLDER --name NAME")")
    }
    let isListed: Bool
    if let manifest, automl?.isCertain != true {
      isListed = true
      models = try Self.listed(HostManifest.read(manifest), in: folder)
    } else {
      isListed = false
      models = []
      for name in names {
        do throws(HostError) {
          guard let model = try Self.found(name, in: folder) else { continue }
          models.append(model)
        } catch {
          refused.append(error)
        }
      }
    }
    let taken = Set(models.flatMap(\.files).map(\.path) + refused.compactMap(\.subject))
    skipped = names.flatMap { Self.skipped($0, in: folder, besides: taken, isListed: isListed) }
    for namespace in ConfigNamespace.allCases where names.contains(namespace.fileName) {
      configs[namespace] = folder + "/" + namespace.fileName
    }
    guard !(models.isEmpty && configs.isEmpty && refused.isEmpty) else {
      throw HostError(
        .invalid,
        (["The folder \(folder.printable) contains no model and no template"] + skipped)
          .joined(separator: "; "),
        remedy: "Choose a folder with a .tflite file for each model, or with remote-config.json")
    }
  }

  /// Returns the model of a file or folder; nil if it is not one.
  /// - Throws: `invalid`, with the path as its subject, for a name that is not allowed.
  private static func found(_ entry: String, in folder: String) throws(HostError) -> Model? {
    let path = folder + "/" + entry
    let isFile = entry.hasSuffix(".tflite")
    guard isFile || FileStatus(FilePath(path + "/manifest.json"))?.kind == .file else { return nil }
    let name = isFile ? String(entry.dropLast(".tflite".count)) : entry
    guard HostName.isName(name) else {
      throw HostError(
        .invalid, "\(HostName.shown(name)) is not a valid model name",
        remedy: "Rename the \(isFile ? "file" : "folder"): use 1 to 32 letters, digits, '_' and '-'",
        subject: path)
    }
    let file = File(path: path, isFolder: !isFile, sha256: nil, notes: "", channels: [HostModel.stable])
    return Model(name: name, tags: [], files: [file])
  }

  /// Returns whether names belong to an AutoML model: two of manifest, model and labels.
  static func isModel(_ names: [String], _ manifest: HostManifest.OfAutoML?) -> Bool {
    let signs = [
      manifest != nil, names.contains(manifest?.modelFile ?? "model.tflite"),
      names.contains(manifest?.labelsFile ?? "dict.txt"),
    ]
    return signs.filter { $0 }.count > 1
  }

  private static func manifest(in folder: String) throws(HostError) -> [UInt8] {
    do throws(SystemError) {
      return try SmallFile.bytes(of: folder + "/manifest.json", limit: 1 << 26)
    } catch {
      guard !error.isTooLarge else {
        throw HostError(
          .invalid, "'\(folder.printable)/manifest.json' has more than 64 MiB",
          remedy: "Choose another folder")
      }
      throw HostError(system: error)
    }
  }

  /// Returns the models listed in the manifest of an export.
  private static func listed(_ manifest: HostManifest, in folder: String) -> [Model] {
    manifest.models.map { model in
      Model(
        name: model.name, tags: model.tags,
        files: model.versions.sorted { $0.number < $1.number }.map { version in
          File(
            path: folder + "/" + version.file, sha256: version.sha256, size: version.size,
            notes: version.notes,
            channels: model.channels.filter { $0.value == version.number }.map(\.key).sorted())
        })
    }
  }
}

extension HostImport.File {
  /// Returns an error of the file, with its path as the subject unless the message contains it.
  package func naming(_ error: HostError) -> HostError {
    let isNamed = [path, path.printable].contains { error.message.contains("'\($0)'") }
    var named = error
    named.subject = isNamed ? nil : path
    return named
  }
}

extension HostImport {
  /// Sentences about models that devices do not get after the import, because an export lacks damaged files.
  package var gaps: [String] {
    models.compactMap { model -> String? in
      guard !model.files.isEmpty else {
        return "model '\(model.name)': the manifest lists none of its files, so it is not imported"
      }
      guard !model.files.contains(where: { $0.channels.contains(HostModel.stable) }) else { return nil }
      return "model '\(model.name)': the manifest has no version for the channel 'stable'; "
        + "point it at one with \(program: .command("host channel \(model.name) stable VERSION"))"
    }
  }
}
#endif
