// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Exports models into a folder that ``HostImport`` and any web server can use.
package enum HostExport {
  /// The content of an export, and the problems found.
  package struct Written: Sendable, Equatable {
    /// The number of models that have a file in it.
    package var models: Int
    /// One for each missing or damaged file, and for each model or channel without its file.
    package var faults: [FolderFault]

    package init(models: Int = 0, faults: [FolderFault] = []) {
      self.models = models
      self.faults = faults
    }
  }

  /// Writes models into a new folder.
  ///
  /// `NAME.tflite` is the stable version, `NAME/NUMBER.tflite` each other usable one; `manifest.json`, which
  /// describes them, is written last.
  /// - Parameters:
  ///   - models: The models, all of one project.
  ///   - project: The project.
  ///   - blobs: The store of their files.
  ///   - configs: The templates in force, written to `remote-config.json` and `remote-config-server.json`.
  ///   - folder: An empty folder, or one that does not exist yet.
  /// - Returns: The number of models, and everything missing from the export.
  /// - Throws: `folder` if it is not empty; `unavailable`, `disk-full`.
  @discardableResult
  package static func write(
    _ models: [HostModel], project: String, blobs: any BlobStore, configs: [StoredConfig] = [],
    to folder: String
  ) async throws(HostError) -> Written {
    do throws(SystemError) { try PrivateFile.makeFolder(folder) } catch {
      guard error.number == ENOTEMPTY || error.number == ENOTDIR || error.number == EEXIST else {
        throw HostError(system: error)
      }
      throw HostError(
        .folder, "\(folder.printable) is not an empty folder",
        remedy: "Choose an empty or new folder")
    }
    var written = Written()
    var manifest = HostManifest(project: project, models: [])
    for model in models.sorted(by: { $0.name < $1.name }) {
      var entry = HostManifest.Model(
        name: model.name, tags: model.tags, channels: model.channels, versions: [])
      for version in model.versions where version.isUsable {
        let isStable = model.channels[HostModel.stable] == version.number
        let file = isStable ? model.name + ".tflite" : "\(model.name)/\(version.number).tflite"
        if let fault = try await copy(version, of: blobs, to: folder + "/" + file) {
          written.faults.append(FolderFault(fault.text(version.number, of: model), isOfFile: true))
          continue
        }
        entry.versions.append(
          HostManifest.Version(
            number: version.number, file: file, sha256: version.sha256, size: version.size,
            created: version.created, author: version.author, notes: version.notes))
      }
      let numbers = Set(entry.versions.map(\.number))
      entry.channels = entry.channels.filter { numbers.contains($0.value) }
      if !numbers.isEmpty { written.models += 1 }
      written.faults += lacks(of: model, numbers)
      manifest.models.append(entry)
    }
    for config in configs {
      let page = try JSONValue(strict: Array(config.text.utf8), name: "The template").page
      do throws(SystemError) {
        try ReplacedFile.write(
          page.utf8, to: folder + "/" + config.namespace.fileName, isPrivate: true, replaces: false)
      } catch {
        throw HostError(system: error)
      }
    }
    let bytes = try manifest.bytes()
    do throws(SystemError) {
      try ReplacedFile.write(bytes, to: folder + "/manifest.json", isPrivate: true, replaces: false)
    } catch {
      throw HostError(system: error)
    }
    return written
  }

  /// Returns the channels whose file is not in the export; a single fault for a model without any file in it.
  private static func lacks(of model: HostModel, _ numbers: Set<Int>) -> [FolderFault] {
    guard !numbers.isEmpty else {
      return model.versions.contains(where: \.isUsable)
        ? [FolderFault("model '\(model.name)': the copy does not contain its files")] : []
    }
    return model.channels.sorted { $0.key < $1.key }.filter { !numbers.contains($0.value) }.map {
      channel, number in
      FolderFault("model '\(model.name)': the copy has no version \(number) for the channel '\(channel)'")
    }
  }

  /// Copies the file of a version, and compares size and SHA-256 of the copy with the version's.
  /// - Returns: The damage to a file that was not copied; nil for an intact one.
  private static func copy(
    _ version: ModelVersion, of blobs: any BlobStore, to path: String
  ) async throws(HostError) -> BlobFault? {
    let blob: any Blob
    do throws(HostError) { blob = try await blobs.localCopy(of: version.sha256) } catch {
      guard let fault = BlobFault(error) else { throw error }
      return fault
    }
    let copied: FinishedBlob
    do throws(SystemError) {
      copied = try await BlockingWork.run { _ throws(SystemError) in
        if unsafe mkdir(FilePath(path).parent, 0o700) != 0, errno != EEXIST { throw SystemError(errno) }
        // A copy with separate bytes: changes to an export must not affect the host.
        return try PrivateFile.copy(blob.path, to: path)
      }
    } catch {
      guard error.number == EIO else { throw HostError(system: error) }
      return .damaged
    }
    guard copied.sha256 != version.sha256 || copied.size != version.size else { return nil }
    unsafe unlink(path)
    return .damaged
  }
}
#endif
