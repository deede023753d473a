// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostImport {
  /// Describes the models in an entry of a folder that are not imported.
  /// - Parameters:
  ///   - entry: The name of a file or folder.
  ///   - folder: The folder that contains it.
  ///   - taken: The paths that are imported.
  ///   - isListed: Whether the manifest of an export lists the imported files.
  /// - Returns: Sentences; none for an entry that is imported, and for other files than models.
  static func skipped(
    _ entry: String, in folder: String, besides taken: Set<String>, isListed: Bool
  ) -> [String] {
    let path = folder + "/" + entry
    guard !taken.contains(path) else { return [] }
    let isFolder = FileStatus(FilePath(path))?.kind == .folder
    var files = [entry]
    if isFolder {
      do throws(SystemError) { files = try Folder.names(in: path) } catch {
        return ["'\(path.printable)' is not imported, because it cannot be read: \(error.message)"]
      }
    }
    guard files.contains(where: isModelFile) else {
      guard isFolder else { return [] }
      let reason = files.isEmpty ? "it is empty" : "no .tflite file is directly in it"
      return ["'\(path.printable)' is not imported, because \(reason)"]
    }
    // In an export, a folder contains the versions of a model.
    if isFolder, isListed, !isModel(files, nil) || taken.contains(where: { $0.hasPrefix(path + "/") }) {
      return files.filter(isModelFile).sorted().flatMap {
        skipped(entry + "/" + $0, in: folder, besides: taken, isListed: isListed)
      }
    }
    let reason =
      isListed
      ? "the manifest does not list it"
      : isFolder ? "the folder has no manifest.json" : "its name does not end with '.tflite'"
    return ["'\(path.printable)' is not imported, because \(reason); \(advice(path, isFolder ? files : nil))"]
  }

  /// Returns the command that imports a skipped file, a model of AutoML, or a folder of models.
  private static func advice(_ path: String, _ files: [String]?) -> String {
    let models = files?.filter(isModelFile) ?? []
    let isWhole = files.map { isModel($0, nil) } ?? true
    if !isWhole, models.count > 1 {
      return "import it: \(program: .call("host import \(path.shellPath.printable)"))"
    }
    let place = isWhole ? path : path + "/" + models[0]
    return "publish it: \(program: .call("host publish \(place.shellPath.printable) --name NAME"))"
  }

  private static func isModelFile(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".tflite") || name.hasSuffix(".lite")
  }
}
#endif
