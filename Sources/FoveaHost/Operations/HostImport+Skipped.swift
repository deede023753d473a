// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  extension HostImport {
    /// Describes an entry of a folder that has a model and is not imported.
    /// - Parameters:
    ///   - entry: The name of a file or folder.
    ///   - folder: The folder that holds it.
    ///   - isListed: Whether the manifest of an export lists what is imported.
    /// - Returns: A sentence; nil for an entry without a model.
    static func skipped(_ entry: String, in folder: String, isListed: Bool) -> String? {
      let path = folder + "/" + entry
      let isFolder = FileStatus(FilePath(path))?.kind == .folder
      let files = isFolder ? (try? Folder.names(in: path)) ?? [] : [entry]
      guard files.contains(where: isModelFile) else { return nil }
      let reason =
        isListed
        ? "the manifest does not list it"
        : isFolder ? "the folder has no manifest.json" : "its name does not end with '.tflite'"
      let place = !isFolder || isModel(files, nil) ? path.printable : "FILE"
      return "'\(path.printable)' is not imported, as \(reason); "
        + "publish it with 'fovea host publish \(place) --name NAME'"
    }

    private static func isModelFile(_ name: String) -> Bool {
      let name = name.lowercased()
      return name.hasSuffix(".tflite") || name.hasSuffix(".lite")
    }
  }
#endif
