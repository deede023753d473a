// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea

// The startup checks for models that take effect only after a restart.
extension ModelEntry {
  /// Reads the model's files as loading does, without loading it; no host is contacted.
  /// - Throws: The error of a start: a file that is missing or not a model, or labels that do not fit.
  package func checkFiles() throws(FoveaError) {
    guard case .file(let path) = source else { return }
    _ = try ModelInspection(of: .file(path), options: settings.options.detector)
    let options = settings.options
    for (kind, path) in [
      ("classifier", options.classifier), ("landmark model", options.detector.landmarks?.path),
    ] {
      guard let path, FileState(path) == nil else { continue }
      throw .optionInvalid(
        "The \(kind) '\(path)' of the model '\(name)' does not exist", remedy: "Check its path")
    }
  }

  /// Reads the names in a folder of models.
  /// - Parameters:
  ///   - path: The folder.
  ///   - entries: The other served models.
  /// - Throws: The error at startup: a folder that cannot be read, or that has no models while nothing else
  ///   is served.
  package static func checkFolder(_ path: String, besides entries: [ModelEntry]) throws(FoveaError) {
    let folder = ModelFolder(path: path)
    let found = try folder.read().entries
    guard !found.isEmpty || !entries.isEmpty else { throw InferenceService.noModels(folder) }
  }
}
#endif
