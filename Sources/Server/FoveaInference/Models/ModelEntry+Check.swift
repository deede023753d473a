// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea

// What a start refuses, of models that count from the next one on.
extension ModelEntry {
  /// Reads the files of the model as a load does, without loading it; a host is not asked.
  /// - Throws: The error of a start: a file that is missing, no model, or labels that do not fit.
  package func checkFiles() throws(FoveaError) {
    guard case .file(let path) = source else { return }
    _ = try ModelInspection(of: .file(path), options: settings.options.detector)
    guard let classifier = settings.options.classifier, FileState(classifier) == nil else { return }
    throw .optionInvalid(
      "The classifier '\(classifier)' of the model '\(name)' is not there", remedy: "Check its path")
  }

  /// Reads the names of a folder of models.
  /// - Parameters:
  ///   - path: The folder.
  ///   - entries: What is served besides.
  /// - Throws: The error of a start: a folder that cannot be read, or has no models although nothing else is served.
  package static func checkFolder(_ path: String, besides entries: [ModelEntry]) throws(FoveaError) {
    let folder = ModelFolder(path: path)
    let found = try folder.read().entries
    guard !found.isEmpty || !entries.isEmpty else { throw InferenceService.noModels(folder) }
  }
}
#endif
