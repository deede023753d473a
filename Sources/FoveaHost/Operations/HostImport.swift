// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaSystem

  /// A folder of models that are to be published: Firebase's `hosted_models`, or what ``HostExport`` has written.
  package struct HostImport: Sendable, Equatable {
    package struct File: Sendable, Equatable {
      package var path: String
      /// What the bytes must be; nil where the folder does not say.
      package var sha256: String?
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
    /// - Parameter folder: With a `manifest.json`, or with a `NAME.tflite` for each model, which becomes stable. Other files
    ///   are left out.
    /// - Throws: `invalid` where a name is not allowed, the manifest is none, or there is no model; `unavailable`.
    package init(_ folder: String) throws(HostError) {
      let names: [String]
      do throws(SystemError) { names = try Folder.names(in: folder).sorted() } catch {
        throw HostError(
          .invalid, "The folder \(folder.printable) cannot be read: \(error.message)",
          remedy: "Name another folder")
      }
      if names.contains("manifest.json") {
        models = try Self.listed(in: folder)
      } else {
        models = try names.filter { $0.hasSuffix(".tflite") }.map { file throws(HostError) in
          let name = String(file.dropLast(".tflite".count))
          guard HostName.isName(name) else {
            throw HostError(
              .invalid, "A model cannot be named \(HostName.shown(name))",
              remedy: "Rename the file: use 1 to 32 letters, digits, '_' and '-'")
          }
          let file = File(path: folder + "/" + file, sha256: nil, notes: "", channels: [HostModel.stable])
          return Model(name: name, tags: [], files: [file])
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

    private static func listed(in folder: String) throws(HostError) -> [Model] {
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try SmallFile.bytes(of: folder + "/manifest.json", limit: 1 << 26)
      } catch {
        throw HostError(system: error)
      }
      return try HostManifest.read(bytes).models.map { model in
        Model(
          name: model.name, tags: model.tags,
          files: model.versions.sorted { $0.number < $1.number }.map { version in
            File(
              path: folder + "/" + version.file, sha256: version.sha256, notes: version.notes,
              channels: model.channels.filter { $0.value == version.number }.map(\.key).sorted())
          })
      }
    }
  }
#endif
