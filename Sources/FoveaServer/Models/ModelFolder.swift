// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Fovea
  internal import FoveaSystem

  /// A folder whose models are all served: each `.tflite` file, and each folder that has one, by its name without ending.
  struct ModelFolder: Sendable {
    let path: String

    /// Its models, sorted by name; names that an address cannot hold are left out.
    /// - Throws: `model-file-unreadable` where the folder cannot be read.
    func entries() throws(FoveaError) -> [ModelEntry] {
      let names: [String]
      do { names = try Folder.names(in: path) } catch {
        throw .optionInvalid(
          "The folder of models \(path) cannot be read: \(error.message)",
          remedy: "Check its name and its rights")
      }
      return names.sorted().compactMap { name in
        let place = path + "/" + name
        guard ModelEntry.isName(ModelEntry.stem(name)), isModel(name, place) else { return nil }
        return ModelEntry(name: ModelEntry.stem(name), source: .file(place))
      }
    }

    private func isModel(_ name: String, _ place: String) -> Bool {
      guard let status = FileStatus(FilePath(place)) else { return false }
      guard status.kind == .folder else { return name.hasSuffix(".tflite") && status.kind == .file }
      return (try? Folder.names(in: place))?.contains { $0.hasSuffix(".tflite") } == true
    }
  }
#endif
