// SPDX-License-Identifier: Apache-2.0

/// Where a model and its labels are: a `.tflite` file, a folder, or an AutoML export.
public struct ModelBundle: Sendable, Hashable {
  /// How the model was found.
  public enum Kind: Sendable, Hashable {
    /// The path names the model itself; a label file next to it is not guessed.
    case file
    /// A folder with one model.
    case folder
    /// An AutoML image labeling export, described by a `manifest.json`.
    case autoMLLabeling
    /// An AutoML object detection export, described by a `tflite_metadata.json`.
    case autoMLDetection(AutoMLDetection)
  }

  /// The path of the model.
  public var modelPath: String
  /// The path of the label file, where there is one next to the model.
  public var labelsPath: String?
  /// How the model was found.
  public var kind: Kind

  /// Makes a bundle from known paths.
  public init(modelPath: String, labelsPath: String? = nil, kind: Kind = .file) {
    self.modelPath = modelPath
    self.labelsPath = labelsPath
    self.kind = kind
  }

  /// Finds the model that a path means.
  ///
  /// - A file is the model, a `.json` file an AutoML manifest.
  /// - A folder is an AutoML image labeling export (`manifest.json`), an AutoML detection export
  ///   (`tflite_metadata.json`), or holds exactly one `.tflite` file and at most one label file
  ///   (`labels.txt`, `dict.txt` or another name with "label").
  ///
  /// A manifest's paths are relative to it and must stay inside its folder, also through symbolic links.
  /// - Parameter path: The path of a file or folder.
  /// - Returns: The paths, which exist.
  /// - Throws: `MetadataError` with `missingFile`, `unreadable`, `noModel`, `ambiguous`, `badManifest`,
  ///   `pathEscapesFolder` or `tooLarge`.
  public static func open(_ path: String) throws(MetadataError) -> ModelBundle {
    if try BundleFiles.isFolder(path) { return try ModelFolder(path).bundle() }
    guard path.lowercased().hasSuffix(".json") else { return ModelBundle(modelPath: path) }
    let (folder, name) = BundleFiles.split(path)
    return try ModelFolder(folder).bundle(manifest: name)
  }
}
