// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

/// A model with what it says of itself, and the label file that came with it.
struct LoadedModel: Sendable {
  /// What runs: the model as it is stored or, where it is faster, rewritten.
  let model: Model
  /// The model as it is stored, with its metadata and files.
  let stored: ModelBytes
  /// The model as it is stored, checked and where needed repaired.
  private let prepared: PreparedModel
  /// Whether `model` computes in int8 what is stored in uint8.
  let isRewritten: Bool
  let metadata: ModelMetadata?
  /// The label file of the folder that the model came from, or the one that the caller gave.
  let labelFile: String?
  let embedded: EmbeddedModel?
  /// What `tflite_metadata.json` says, for an AutoML detection export.
  let autoML: AutoMLDetection?
  /// What Ultralytics' exporter says of the model.
  let exporter: ExporterDescription?

  var name: String { model.name }

  /// What was changed in memory before LiteRT saw the model, as sentences without the final stop.
  var repairs: [String] { prepared.repairs.map { $0.sentence(of: name) } }

  /// Tensors of the model that runs, with the types that the file has: for errors, which people compare with the file.
  func asStored(_ signature: ModelSignature) -> ModelSignature {
    guard isRewritten, let stored = try? Model(prepared).signatures[0] else { return signature }
    func types(_ tensors: [TensorDescription], _ stored: [TensorDescription]) -> [TensorDescription] {
      tensors.map { tensor in
        var tensor = tensor
        let twin = stored.first { $0.name == tensor.name }
        tensor.elementType = twin?.elementType ?? tensor.elementType
        return tensor
      }
    }
    return ModelSignature(
      key: signature.key, inputs: types(signature.inputs, stored.inputs),
      outputs: types(signature.outputs, stored.outputs))
  }

  /// Loads a model and reads its metadata.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - labelFile: A label file in place of the model's own.
  ///   - exact: Whether the model runs as it is stored, even where a rewritten one is faster.
  /// - Throws: The error of the layer that failed.
  init(_ source: ModelSource, labelFile: String? = nil, exact: Bool = false) throws {
    switch source.storage {
    case .embedded(let embedded):
      self.embedded = embedded
      stored = embedded.load()
      self.labelFile = labelFile
      autoML = nil
    case .path(let path):
      embedded = nil
      let bundle = try ModelBundle.open(path)
      stored = try ModelBytes(path: bundle.modelPath)
      self.labelFile = labelFile ?? bundle.labelsPath
      if case .autoMLDetection(let manifest) = bundle.kind { autoML = manifest } else { autoML = nil }
    }
    // The embedded models are int8 already, and known to be whole.
    var prepared = PreparedModel(trusted: stored)
    var fast: PreparedModel?
    if embedded == nil {
      prepared = try Self.prepared(stored)
      fast = exact ? nil : try Self.rewritten(prepared.bytes)
    }
    isRewritten = fast != nil
    self.prepared = prepared
    model = try Model(fast ?? prepared)
    exporter = embedded == nil ? try LoadedModel.parts(of: stored, ExporterDescription.read) : nil
    metadata = try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in
      try ModelMetadata.read(bytes)
    }
  }

  /// Refuses a graph that the runtime would follow outside its memory.
  private static func prepared(_ model: ModelBytes) throws -> PreparedModel {
    do {
      return try PreparedModel(model)
    } catch {
      guard error.cause is MetadataError else { throw error }
      var named = FoveaError(error)
      named.subject = model.name
      throw named
    }
  }

  /// The tensors as the file states them, for one image: Keras leaves the number of images open.
  var signature: ModelSignature {
    func single(_ tensor: TensorDescription) -> TensorDescription {
      var tensor = tensor
      if tensor.shape.count > 1, tensor.shape[0] == -1 { tensor.shape[0] = 1 }
      return tensor
    }
    var signature = model.signatures[0]
    signature.inputs = signature.inputs.map(single)
    signature.outputs = signature.outputs.map(single)
    return signature
  }

  /// The model in int8; nil where it runs best as it is.
  ///
  /// Only measured on x86-64; other processors run what is stored.
  private static func rewritten(_ stored: ModelBytes) throws -> PreparedModel? {
    #if arch(x86_64)
      // What cannot be read here is left to the runtime, whose errors say more about a damaged file.
      guard let rewrite = stored.withSpan({ try? Int8Rewrite(of: $0) }) else { return nil }
      let result = ModelBytes(count: rewrite.byteCount, name: stored.name) { target in
        stored.withSpan { rewrite.write($0, into: &target) }
      }
      // In a damaged file weights may lie over what is no weight, so that rewriting them makes another graph.
      let checked = try prepared(result)
      // Of the stored bytes only metadata and labels are read from here on.
      stored.releasePages()
      return checked
    #else
      return nil
    #endif
  }

  /// What `read` finds in a model's bytes; its errors name parts of the file, so the file is named here.
  static func parts<Part>(
    of model: ModelBytes, _ read: (Span<UInt8>) throws(MetadataError) -> Part
  ) throws(FoveaError) -> Part {
    do throws(MetadataError) {
      return try model.withSpan(read)
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
    let described = metadata?.outputs ?? []
    let namesFiles = described.contains { !$0.files(.valueLabels).isEmpty || !$0.files(.axisLabels).isEmpty }
    if locale == nil, !namesFiles, let exporter {
      return LabelMap(names: exporter.names, source: exporter.source)
    }
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else {
      guard let locale else { return nil }
      throw FoveaError.optionInvalid(
        "The locale '\(locale)' was asked for, but '\(name)' has no labels in its metadata",
        remedy: "Leave out the locale")
    }
    return try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in
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
