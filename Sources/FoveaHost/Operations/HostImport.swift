// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaSystem

  /// A folder of models that are to be published: Firebase's `hosted_models`, or what ``HostExport`` has written.
  package struct HostImport: Sendable, Equatable {
    package struct File: Sendable, Equatable {
      package var path: String
      /// Whether the path is that of an AutoML folder, which becomes one file with its labels inside.
      package var isFolder = false
      /// What the bytes must be; nil where the folder does not say.
      package var sha256: String?
      /// How many bytes it must have; nil where the folder does not say.
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
    /// The paths of templates of Remote Config.
    package var configs: [ConfigNamespace: String] = [:]

    /// Reads a folder; no model file is opened.
    /// - Parameter folder: With a `manifest.json` of an export; or with a `NAME.tflite` for each model, which becomes stable,
    ///   and a folder `NAME` for each that AutoML has made. Other files are left out.
    /// - Throws: `invalid` where a name is not allowed, the manifest is none, or there is no model; `unavailable`.
    package init(_ folder: String) throws(HostError) {
      let names: [String]
      do throws(SystemError) { names = try Folder.names(in: folder).sorted() } catch {
        throw HostError(
          .invalid, "The folder \(folder.printable) cannot be read: \(error.message)",
          remedy: "Name another folder")
      }
      if names.contains("manifest.json"), let listed = try Self.listed(in: folder) {
        models = listed
      } else {
        models = []
        for name in names {
          if let model = try Self.found(name, in: folder) { models.append(model) }
        }
      }
      for namespace in ConfigNamespace.allCases where names.contains(namespace.fileName) {
        configs[namespace] = folder + "/" + namespace.fileName
      }
      guard !(models.isEmpty && configs.isEmpty) else {
        throw HostError(
          .invalid, "The folder \(folder.printable) holds no model and no template",
          remedy: "Name a folder with a .tflite file for each model, or with remote-config.json")
      }
    }

    /// The model that a file or folder is; nil where it is none.
    private static func found(_ entry: String, in folder: String) throws(HostError) -> Model? {
      let path = folder + "/" + entry
      let isFile = entry.hasSuffix(".tflite")
      guard isFile || FileStatus(FilePath(path + "/manifest.json"))?.kind == .file else { return nil }
      let name = isFile ? String(entry.dropLast(".tflite".count)) : entry
      guard HostName.isName(name) else {
        throw HostError(
          .invalid, "A model cannot be named \(HostName.shown(name))",
          remedy: "Rename the \(isFile ? "file" : "folder"): use 1 to 32 letters, digits, '_' and '-'")
      }
      let file = File(path: path, isFolder: !isFile, sha256: nil, notes: "", channels: [HostModel.stable])
      return Model(name: name, tags: [], files: [file])
    }

    /// What the manifest of an export lists; nil for one of AutoML, whose models have that name for it, too.
    private static func listed(in folder: String) throws(HostError) -> [Model]? {
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try SmallFile.bytes(of: folder + "/manifest.json", limit: 1 << 26)
      } catch {
        throw HostError(system: error)
      }
      if HostManifest.isOfAutoML(bytes) { return nil }
      return try HostManifest.read(bytes).models.map { model in
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
#endif
