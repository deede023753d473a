// SPDX-License-Identifier: Apache-2.0

/// The paths of a model and its labels: a `.tflite` file, a folder, or an AutoML export.
package struct ModelBundle: Sendable, Hashable {
  /// The way in which the model was found.
  package enum Kind: Sendable, Hashable {
    /// The path is the model itself; a label file next to it is not used.
    case file
    /// A folder with one model.
    case folder
    /// An AutoML image labeling export, described by a `manifest.json`.
    case autoMLLabeling
    /// An AutoML object detection export, described by a `tflite_metadata.json`.
    case autoMLDetection(AutoMLDetection)
  }

  /// The path of the model.
  package var modelPath: String
  /// The path of the label file next to the model; nil if there is none.
  package var labelsPath: String?
  /// The way in which the model was found.
  package var kind: Kind

  /// Creates a bundle from known paths.
  package init(modelPath: String, labelsPath: String? = nil, kind: Kind = .file) {
    self.modelPath = modelPath
    self.labelsPath = labelsPath
    self.kind = kind
  }

  /// Finds the model at a path.
  ///
  /// - A file is the model, a `.json` file an AutoML manifest.
  /// - A folder is an AutoML image labeling export (`manifest.json`), an AutoML detection export
  ///   (`tflite_metadata.json`), or has exactly one `.tflite` file and at most one label file (`labels.txt`,
  ///   `dict.txt` or another name with "label").
  ///
  /// A manifest's paths are relative to it and must stay inside its folder, even with symbolic links.
  /// - Parameter path: The path of a file or folder.
  /// - Returns: The paths, which exist.
  /// - Throws: `MetadataError` with `missingFile`, `unreadable`, `noModel`, `ambiguous`, `badManifest`,
  ///   `pathEscapesFolder` or `tooLarge`.
  package static func open(_ path: String) throws(MetadataError) -> ModelBundle {
    if try BundleFiles.isFolder(path) { return try BundleFolder(path).bundle() }
    guard path.lowercased().hasSuffix(".json") else { return ModelBundle(modelPath: path) }
    let (folder, name) = BundleFiles.split(path)
    return try BundleFolder(folder).bundle(manifest: name)
  }
}
