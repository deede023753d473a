// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Fovea
  internal import FoveaSystem

  /// A folder whose models are all served: each `.tflite` file, and each folder that has one, by its name without ending.
  struct ModelFolder: Sendable {
    let path: String

    /// Its models, sorted by name; names that an address cannot hold are left out.
    /// - Throws: `option-invalid` where the folder cannot be read.
    func entries() throws(FoveaError) -> [ModelEntry] {
      try models().filter { ModelEntry.isName(ModelEntry.stem($0)) }.map {
        ModelEntry(name: ModelEntry.stem($0), source: .file(path + "/" + $0))
      }
    }

    /// The models whose names an address cannot hold.
    /// - Throws: `option-invalid` where the folder cannot be read.
    func leftOut() throws(FoveaError) -> [String] {
      try models().filter { !ModelEntry.isName(ModelEntry.stem($0)) }
    }

    private func models() throws(FoveaError) -> [String] {
      let names: [String]
      do { names = try Folder.names(in: path) } catch {
        throw .optionInvalid(
          "The folder of models \(path) cannot be read: \(error.message)",
          remedy: "Check its name and its rights")
      }
      return names.sorted().filter { isModel($0, path + "/" + $0) }
    }

    private func isModel(_ name: String, _ place: String) -> Bool {
      guard let status = FileStatus(FilePath(place)) else { return false }
      guard status.kind == .folder else { return name.hasSuffix(".tflite") && status.kind == .file }
      return (try? Folder.names(in: place))?.contains { $0.hasSuffix(".tflite") } == true
    }
  }
#endif
