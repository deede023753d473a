// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

/// A model with what it says of itself, and the label file that came with it.
struct LoadedModel: Sendable {
  let model: Model
  let metadata: ModelMetadata?
  /// The label file of the folder that the model came from, or the one that the caller gave.
  let labelFile: String?
  let embedded: EmbeddedModel?

  var name: String { model.name }

  /// Loads a model and reads its metadata.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - labelFile: A label file in place of the model's own.
  /// - Throws: The error of the layer that failed.
  init(_ source: ModelSource, labelFile: String? = nil) throws {
    switch source.storage {
    case .embedded(let embedded):
      self.embedded = embedded
      model = try embedded.load()
      self.labelFile = labelFile
    case .path(let path):
      embedded = nil
      let bundle = try ModelBundle.open(path)
      model = try Model(path: bundle.modelPath)
      self.labelFile = labelFile ?? bundle.labelsPath
    }
    let isTrusted = embedded != nil
    metadata = try LoadedModel.parts(of: model) { bytes throws(MetadataError) in
      if !isTrusted { try ModelGraphCheck.check(bytes) }
      return try ModelMetadata.read(bytes)
    }
  }

  /// What `read` finds in the model's bytes; its errors name parts of the file, so the file is named here.
  private static func parts<Part>(
    of model: Model, _ read: (Span<UInt8>) throws(MetadataError) -> Part
  ) throws(FoveaError) -> Part {
    do throws(MetadataError) {
      return try model.withBytes(read)
    } catch {
      var named = FoveaError(error)
      named.subject = model.name
      throw named
    }
  }

  /// The labels of an output: from the label file where there is one, else from the metadata.
  /// - Returns: nil where neither has any.
  func labels(output index: Int, locale: String?) throws -> LabelMap? {
    if let labelFile {
      guard locale == nil else {
        throw FoveaError.optionInvalid(
          "A locale was asked for, but the label file '\(labelFile)' has none",
          remedy: "Leave out the locale, or the label file")
      }
      return try LabelMap(contentsOf: labelFile)
    }
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else {
      guard let locale else { return nil }
      throw FoveaError.optionInvalid(
        "The locale '\(locale)' was asked for, but '\(name)' has no labels in its metadata",
        remedy: "Leave out the locale")
    }
    return try LoadedModel.parts(of: model) { bytes throws(MetadataError) in
      try LabelMap.read(for: outputs[index], locale: locale, model: bytes)
    }
  }

  /// The description of an output in the metadata.
  func outputMetadata(_ index: Int) -> TensorMetadata? {
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else { return nil }
    return outputs[index]
  }

  /// The output whose metadata names the label file of a detector's classes.
  var labelOutputIndex: Int? {
    metadata?.outputs.firstIndex { !$0.files(.valueLabels).isEmpty || !$0.files(.axisLabels).isEmpty }
  }

  /// The score threshold in the metadata of whichever output has one.
  var scoreThreshold: Float? { metadata?.outputs.lazy.compactMap(\.scoreThreshold).first }
}
