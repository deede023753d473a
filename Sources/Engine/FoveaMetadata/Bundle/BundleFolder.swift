// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A folder that is searched for a model.
struct BundleFolder {
  private let path: String
  private let names: [String]
  private static let detectionManifest = "tflite_metadata.json"

  init(_ path: String) throws(MetadataError) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    names = try BundleFiles.names(in: path)
  }

  /// Returns the bundle in the folder.
  func bundle() throws(MetadataError) -> ModelBundle {
    let manifests = names.filter { $0.lowercased().hasSuffix("manifest.json") }
    if let manifest = manifests.first(where: { $0 == "manifest.json" })
      ?? (manifests.count == 1 ? manifests[0] : nil)
    {
      return try bundle(manifest: manifest)
    }
    if names.contains(Self.detectionManifest) { return try bundle(manifest: Self.detectionManifest) }
    return ModelBundle(modelPath: try model(), labelsPath: try labels(), kind: .folder)
  }

  /// Returns the bundle that a manifest in the folder describes.
  func bundle(manifest: String) throws(MetadataError) -> ModelBundle {
    let file = try ManifestFile(join(manifest))
    let content = file.manifest
    if content.modelFile == nil, manifest == Self.detectionManifest || content.inferenceType != nil {
      let detection = try AutoMLDetection(file)
      let model = names.contains("model.tflite") ? join("model.tflite") : try model()
      let labels = names.contains("dict.txt") ? join("dict.txt") : try labels()
      return ModelBundle(modelPath: model, labelsPath: labels, kind: .autoMLDetection(detection))
    }
    try file.checkSpelling(of: "modelFile", content.modelFile)
    try file.checkSpelling(of: "labelsFile", content.labelsFile)
    guard let model = content.modelFile, !model.isEmpty else {
      throw file.error("does not name a 'modelFile'")
    }
    guard content.modelType ?? "IMAGE_LABELING" == "IMAGE_LABELING" else {
      throw file.error("has the modelType '\(content.modelType ?? "")'; expected 'IMAGE_LABELING'")
    }
    return ModelBundle(
      modelPath: try existing(model, key: "modelFile", file),
      labelsPath: try content.labelsFile.map { name throws(MetadataError) in
        try existing(name, key: "labelsFile", file)
      },
      kind: .autoMLLabeling)
  }

  /// Returns the path of a file named in a manifest, which must exist inside the folder.
  private func existing(_ name: String, key: String, _ file: ManifestFile) throws(MetadataError) -> String {
    let result = join(name)
    guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
      throw MetadataError(
        .pathEscapesFolder,
        "\(file.source) names the \(key) '\(name)', which is outside the manifest's folder",
        remedy: "Put the file next to the manifest and name it without a path")
    }
    guard BundleFiles.isFile(result) else {
      throw MetadataError(
        .missingFile, "\(file.source) names the \(key) '\(name)', but there is no such file",
        remedy: "Put the file next to the manifest")
    }
    // Checked last, as links can be resolved reliably only if the file exists.
    let inside = BundleFiles.resolved(path)
    guard BundleFiles.resolved(result).hasPrefix(inside.hasSuffix("/") ? inside : inside + "/") else {
      throw MetadataError(
        .pathEscapesFolder,
        "\(file.source) names the \(key) '\(name)', a link that leads out of the manifest's folder",
        remedy: "Put the file itself next to the manifest; links out of the folder are not followed")
    }
    return result
  }

  /// Returns the only model in the folder.
  private func model() throws(MetadataError) -> String {
    let models = names.filter { $0.lowercased().hasSuffix(".tflite") && BundleFiles.isFile(join($0)) }
    guard let model = models.first else {
      if names.contains("saved_model.pb") {
        throw MetadataError(
          .noModel, "The folder '\(path)' is a TensorFlow SavedModel and has no .tflite file",
          remedy: "Convert it: tf.lite.TFLiteConverter.from_saved_model(FOLDER).convert()")
      }
      throw MetadataError(
        .noModel,
        names.isEmpty ? "The folder '\(path)' is empty" : "The folder '\(path)' has no .tflite file",
        remedy: "Use a .tflite file or a folder with one")
    }
    guard models.count == 1 else {
      throw MetadataError(
        .ambiguous, "The folder '\(path)' has \(models.count) models: \(Self.list(models))",
        remedy: "Use the path of one of them")
    }
    return join(model)
  }

  /// The extensions of label files, the usual one first; others are used only if no file has the usual one.
  private static let labelEndings = [
    [".txt"], [".pbtxt", ".names", ".csv", ".tsv", ".json", ".yaml", ".yml"],
  ]

  /// Returns the only label file in the folder; nil if there is none.
  private func labels() throws(MetadataError) -> String? {
    for endings in BundleFolder.labelEndings {
      let labels = names.filter { name in
        let lower = name.lowercased()
        return endings.contains { lower.hasSuffix($0) }
          && (lower == "dict.txt" || lower.contains(part: "label"))
          && BundleFiles.isFile(join(name))
      }
      guard labels.count <= 1 else {
        throw MetadataError(
          .ambiguous, "The folder '\(path)' has \(labels.count) label files: \(Self.list(labels))",
          remedy: "Use the paths of the model and of one label file")
      }
      if let label = labels.first { return join(label) }
    }
    return nil
  }

  private func join(_ name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

  /// Returns the first ten names as a list.
  private static func list(_ names: [String]) -> String {
    names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
  }
}
