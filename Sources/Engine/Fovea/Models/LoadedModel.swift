// SPDX-License-Identifier: Apache-2.0

package import FoveaMetadata
import FoveaModelFile
package import FoveaRuntime

/// A model with its own description, and the label file that came with it.
package struct LoadedModel: Sendable {
  /// What runs: the model as it is stored or, where it is faster, rewritten.
  let model: Model
  /// The model as it is stored, with its metadata and files.
  package let stored: ModelBytes
  /// The model as it is stored, checked and where needed repaired.
  private let prepared: PreparedModel
  /// Whether `model` computes in int8 what is stored in uint8.
  let isRewritten: Bool
  package let metadata: ModelMetadata?
  /// The label file of the folder that the model came from, or the one that the caller gave.
  package let labelFile: String?
  /// The label file of the model's folder if it has no label, and none is given in its place.
  private(set) var blankLabelFile: String?
  let embedded: EmbeddedModel?
  /// What `tflite_metadata.json` says, for an AutoML detection export.
  let autoML: AutoMLDetection?
  /// How Ultralytics' exporter describes the model.
  let exporter: ExporterDescription?
  /// The session that found out what the model is, for the first who runs it.
  let shelf: SessionShelf

  package var name: String { model.name }

  /// What was changed in memory before LiteRT saw the model, as sentences without the final stop.
  var repairs: [String] { prepared.repairs.map { $0.sentence(of: name) } }

  /// Tensors of the model that runs, with the types that the file has: for errors, which people compare with the file.
  func asStored(_ signature: ModelSignature) -> ModelSignature {
    guard isRewritten else { return signature }
    // A rewritten model had no int8 before.
    func stored(_ tensor: TensorDescription) -> TensorDescription {
      guard tensor.elementType == .int8 else { return tensor }
      var tensor = tensor
      tensor.elementType = .uint8
      if case .perTensor(let scale, let zeroPoint) = tensor.quantization {
        tensor.quantization = .perTensor(scale: scale, zeroPoint: zeroPoint + 128)
      }
      return tensor
    }
    return ModelSignature(
      key: signature.key, inputs: signature.inputs.map(stored), outputs: signature.outputs.map(stored))
  }

  /// Loads a model and reads its metadata.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - labelFile: A label file in place of the model's own.
  ///   - exact: Whether the model runs as it is stored, even where a rewritten one is faster. A model that is loaded
  ///     already stays unchanged.
  /// - Throws: The error of the layer that failed.
  init(_ source: ModelSource, labelFile: String? = nil, exact: Bool = false) throws {
    switch source.storage {
    case .loaded(let loaded):
      self = loaded
      return
    case .embedded(let embedded):
      self.embedded = embedded
      stored = embedded.load()
      self.labelFile = labelFile
      autoML = nil
    case .memory(let memory):
      embedded = nil
      stored = memory.bytes
      self.labelFile = labelFile
      autoML = nil
    case .path(let path):
      embedded = nil
      let bundle = try ModelBundle.open(path)
      stored = try ModelBytes(path: bundle.modelPath)
      let own = labelFile == nil ? bundle.labelsPath : nil
      let blank = own.flatMap { LabelMap.isBlank($0) ? $0 : nil }
      blankLabelFile = blank
      self.labelFile = blank == nil ? labelFile ?? own : nil
      if case .autoMLDetection(let manifest) = bundle.kind { autoML = manifest } else { autoML = nil }
    }
    shelf = SessionShelf()
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

  /// A graph that was made from a model's, and that sees images as the model does.
  /// - Throws: The error of the layer that failed.
  init(_ graph: ModelBytes, like original: LoadedModel, exact: Bool) throws {
    stored = graph
    labelFile = nil
    autoML = nil
    embedded = nil
    shelf = SessionShelf()
    prepared = try Self.prepared(graph)
    let fast = exact ? nil : try Self.rewritten(prepared.bytes)
    isRewritten = fast != nil
    model = try Model(fast ?? prepared)
    exporter = original.exporter
    metadata = original.metadata
  }

  /// Refuses a graph that the runtime would follow outside its memory.
  private static func prepared(_ model: ModelBytes) throws -> PreparedModel {
    do { return try PreparedModel(model) } catch {
      guard error.cause is MetadataError else { throw error }
      // A graph for a device breaks rules that are LiteRT's on a processor.
      if let operators = try? model.withSpan(ModelGraphSummary.customNames),
        let device = ForeignOperator.device(of: operators)
      {
        throw device.error(modelName: model.name)
      }
      var named = FoveaError(error)
      named.subject = model.name
      throw named
    }
  }

  /// The tensors as the file states them, for one image: Keras leaves the number of images open.
  package var signature: ModelSignature {
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
  package static func parts<Part>(
    of model: ModelBytes, _ read: (Span<UInt8>) throws(MetadataError) -> Part
  ) throws(FoveaError) -> Part {
    do throws(MetadataError) { return try model.withSpan(read) } catch {
      var named = FoveaError(error)
      named.subject = model.name
      throw named
    }
  }

  /// The labels of an output: from the label file where there is one, else from the metadata.
  /// - Returns: nil where neither has any.
  package func labels(output index: Int, locale: String?) throws -> LabelMap? {
    if let labelFile {
      guard locale == nil else {
        throw FoveaError.optionInvalid(
          "A locale was asked for, but the label file '\(labelFile)' has none",
          remedy: "Leave out the locale, or the label file")
      }
      var labels = try LabelMap(contentsOf: labelFile)
      // Own labels that cannot be read do not matter beside the file.
      labels.ownNames = (try? ownLabels(output: index, locale: nil))?.names
      return labels
    }
    guard var labels = try ownLabels(output: index, locale: locale) else { return nil }
    labels.ownNames = labels.names
    return labels
  }

  /// The labels in the model's file; nil if it has none.
  private func ownLabels(output index: Int, locale: String?) throws -> LabelMap? {
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
  package func outputMetadata(_ index: Int) -> TensorMetadata? {
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else { return nil }
    return outputs[index]
  }

  /// The output whose metadata names the label file of a detector's classes.
  package var labelOutputIndex: Int? {
    metadata?.outputs.firstIndex { !$0.files(.valueLabels).isEmpty || !$0.files(.axisLabels).isEmpty }
  }

  /// The score threshold in the metadata of whichever output has one.
  package var scoreThreshold: Float? { metadata?.outputs.lazy.compactMap(\.scoreThreshold).first }
}

/// Loaded models are equal where they are one: the copies share the session that waits.
extension LoadedModel: Hashable {
  package static func == (left: LoadedModel, right: LoadedModel) -> Bool { left.shelf === right.shelf }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(shelf)) }
}
