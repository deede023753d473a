// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Writes a classifier as a folder like the exports of AutoML Vision Edge: `model.tflite`, `dict.txt`,
/// `manifest.json`.
///
/// The folder is written completely or not at all. **Source:** the exports in Google's ML Kit and Firebase
/// quickstarts.
package struct AutoMLBundleWriter: Sendable {
  /// Whether an existing bundle is replaced; false by default.
  ///
  /// A folder with any file that does not belong to a bundle is never replaced.
  package var replaces: Bool

  package init(replaces: Bool = false) { self.replaces = replaces }

  private static let modelName = "model.tflite"
  private static let labelsName = "dict.txt"
  package static let manifestName = "manifest.json"
  /// The files of the export itself.
  package static let exportNames = [modelName, labelsName, manifestName]
  /// The files of a bundle: the export, and the files that training adds.
  package static let names = Set(exportNames + ["training.json", "report.html", "suspects.txt"])

  private static let manifest = """
    {
      "modelType": "IMAGE_LABELING",
      "modelFile": "\(modelName)",
      "labelsFile": "\(labelsName)"
    }

    """

  /// Verifies, before the work, that the bundle can be written.
  /// - Throws: The codes of `write`, as far as they can be predicted.
  package func check(_ folder: String) throws(MetadataError) {
    let isNamed = ![nil, ".", ".."].contains(folder.split(separator: "/").last)
    guard isNamed else {
      throw Self.failure(
        folder, "the path of a bundle must end in a folder name", remedy: "Choose a new folder")
    }
    if let obstacle = Folder.obstacle(to: folder) { throw Self.failure(folder, obstacle) }
    guard let status = FileStatus(FilePath(folder)) else { return }
    guard status.kind == .folder else {
      throw Self.failure(folder, "there is a file of that name", remedy: "Choose a new folder")
    }
    var found: [String] = []
    do throws(SystemError) {
      try Folder.forEach(in: FilePath(folder)) { name, _ in
        found.append(String(decoding: name, as: UTF8.self))
      }
    } catch { throw Self.failure(folder, error) }
    try check(found.sorted(), in: folder, known: Self.names)
  }

  private func check(_ found: [String], in folder: String, known: Set<String>) throws(MetadataError) {
    if let stranger = found.first(where: { !known.contains($0) }) {
      throw Self.failure(
        folder, "it has '\(stranger)', which does not belong to a bundle", remedy: "Choose a new folder")
    }
    guard replaces || found.isEmpty else {
      throw Self.failure(
        folder, "it already has a model",
        remedy:
          "Choose a new folder, or replace the model with \(flag: "force", "write(to:replacing: true)")")
    }
  }

  /// Writes a bundle.
  /// - Parameters:
  ///   - model: The whole model file.
  ///   - labels: The labels, in the order of the classes.
  ///   - training: The content of `training.json`; nil for none.
  ///   - files: Other files of the training, such as `report.html` and `suspects.txt`.
  ///   - folder: The path of the folder, which is created with its parents.
  /// - Throws: `cannotWrite` if the folder is not empty or cannot be written, and `badLabels`. Existing files
  ///   stay.
  package func write(
    model: [UInt8], labels: [String], training: [UInt8]? = nil, files: [AssociatedFileContents] = [],
    to folder: String
  ) throws(MetadataError) {
    _ = try ModelFile(model.span)
    let dictionary = try LabelLines.bytes(labels)
    if let other = files.first(where: { !Self.names.contains($0.name) }) {
      throw MetadataEncoder.cannotWrite("'\(other.name)' does not belong to a bundle")
    }
    try check(folder)
    do throws(SystemError) {
      let place = try ReplacedFolder(folder)
      for file in files { try place.write(file.contents, to: file.name) }
      if let training { try place.write(training, to: "training.json") }
      try place.write(model, to: Self.modelName)
      try place.write(dictionary, to: Self.labelsName)
      try place.write(Self.manifest.utf8, to: Self.manifestName)
      try place.commit(replacing: replaces ? Self.names : [])
    } catch {
      throw Self.failure(folder, error)
    }
  }

  private static func failure(_ folder: String, _ error: SystemError) -> MetadataError {
    failure(
      folder, error.isInUse ? "another process writes it" : error.message,
      remedy: "\(error.spaceRemedy ?? "Check the path and its permissions")")
  }

  private static func failure(_ folder: String, _ reason: String, remedy: Advice) -> MetadataError {
    MetadataError(.cannotWrite, "The folder '\(folder)' cannot be written: \(reason)", remedy: remedy)
  }
}
