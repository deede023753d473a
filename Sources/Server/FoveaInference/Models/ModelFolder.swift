// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore

/// A folder whose models are all served: each `.tflite` file and `.task` bundle, and each folder that
/// contains a `.tflite` file, named without extension.
struct ModelFolder: Sendable {
  let path: String

  /// Reads the folder: the models, sorted by file name, and the file names that a URL cannot contain.
  /// - Throws: `option-invalid` if the folder cannot be read.
  func read() throws(FoveaError) -> (entries: [ModelEntry], leftOut: [String]) {
    var (entries, leftOut): ([ModelEntry], [String]) = ([], [])
    for name in try models() {
      let stem = ModelEntry.stem(name)
      if ModelEntry.isName(stem) {
        entries.append(ModelEntry(name: stem, source: .file(path + "/" + name)))
      } else {
        leftOut.append(name)
      }
    }
    return (entries, leftOut)
  }

  /// Returns whether ``read()`` can return an entry.
  func holds(_ entry: ModelEntry) -> Bool {
    guard case .file(let file) = entry.source else { return false }
    return file.hasPrefix(path + "/")
      && ModelEntry.stem(String(file.dropFirst(path.count + 1))) == entry.name
  }

  private func models() throws(FoveaError) -> [String] {
    let names: [String]
    do { names = try Folder.names(in: path) } catch {
      throw .optionInvalid(
        "The model folder \(path) cannot be read: \(error.message)",
        remedy: "Check its name and permissions")
    }
    return names.sorted().filter { isModel($0, path + "/" + $0) }
  }

  private func isModel(_ name: String, _ place: String) -> Bool {
    guard let status = FileStatus(FilePath(place)) else { return false }
    guard status.kind == .folder else {
      return status.kind == .file && ModelEntry.extensions.contains { name.hasSuffix($0) }
    }
    return (try? Folder.names(in: place))?.contains { $0.hasSuffix(".tflite") } == true
  }
}
#endif
