// SPDX-License-Identifier: Apache-2.0

package import FoveaMetadata
import FoveaModelFile
package import FoveaRuntime

/// A model with its metadata, and the label file that belongs to it.
package struct LoadedModel: Sendable {
  /// The model to run: the stored one, or a rewritten one if that is faster.
  let model: Model
  /// The stored model, with its metadata and files.
  package let stored: ModelBytes
  /// The stored model, verified and if necessary repaired.
  private let prepared: PreparedModel
  /// Whether `model` computes in int8 although it is stored in uint8.
  let isRewritten: Bool
  package let metadata: ModelMetadata?
  /// The label file of the model's folder, or the caller's.
  package let labelFile: String?
  /// The label file of the model's folder if it has no labels and the caller gave no other.
  private(set) var blankLabelFile: String?
  let embedded: EmbeddedModel?
  /// The contents of `tflite_metadata.json`, for an AutoML detection export.
  let autoML: AutoMLDetection?
  /// The description by Ultralytics' exporter.
  let exporter: ExporterDescription?
  /// The session that was compiled to examine the model, for the first caller that runs it.
  let sessionCache: SessionCache

  package var name: String { model.name }

  /// The repairs made in memory before LiteRT loads the model, as sentences without the full stop.
  var repairs: [String] { prepared.repairs.map { $0.sentence(of: name) } }

  /// Returns tensors of the running model with the types in the file, for errors that people compare with the
  /// file.
  func asStored(_ signature: ModelSignature) -> ModelSignature {
    guard isRewritten else { return signature }
    // A model that is rewritten has no int8 tensors originally.
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
  ///   - source: The model to load.
  ///   - labelFile: A label file that replaces the model's own.
  ///   - exact: Whether to run the stored model even if a rewritten one is faster. No effect on a model that
  ///     is already loaded.
  /// - Throws: The error of the module that failed.
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
      try source.refuseBundle()
      embedded = nil
      let bundle = try ModelBundle.open(path)
      stored = try ModelBytes(path: bundle.modelPath)
      let own = labelFile == nil ? bundle.labelsPath : nil
      let blank = own.flatMap { LabelMap.isBlank($0) ? $0 : nil }
      blankLabelFile = blank
      self.labelFile = blank == nil ? labelFile ?? own : nil
      if case .autoMLDetection(let manifest) = bundle.kind { autoML = manifest } else { autoML = nil }
    }
    sessionCache = SessionCache()
    // The embedded models are int8 already, and known to be intact.
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

  /// Creates a model from a graph made from another model's, with the same image input.
  /// - Throws: The error of the module that failed.
  init(_ graph: ModelBytes, like original: LoadedModel, exact: Bool) throws {
    stored = graph
    labelFile = nil
    autoML = nil
    embedded = nil
    sessionCache = SessionCache()
    prepared = try Self.prepared(graph)
    let fast = exact ? nil : try Self.rewritten(prepared.bytes)
    isRewritten = fast != nil
    model = try Model(fast ?? prepared)
    exporter = original.exporter
    metadata = original.metadata
  }

  /// Returns the model with only some of its outputs, and without the operators that only the others need;
  /// the model itself if it has no others, or they cannot be removed.
  /// - Throws: The error of the module that failed.
  func keeping(outputs kept: Set<Int>, exact: Bool) throws -> LoadedModel {
    guard embedded == nil else { return self }
    let names = Set(kept.map { signature.outputs[$0].name })
    let patch = try LoadedModel.parts(of: prepared.bytes) { bytes throws(MetadataError) in
      try OutputCut.patch(bytes, keeping: names)
    }
    guard let patch else { return self }
    let cut = ModelBytes(count: patch.byteCount, name: name) { target in
      prepared.bytes.withSpan { patch.write($0, into: &target) }
    }
    return try LoadedModel(cut, like: self, exact: exact)
  }

  /// Refuses a graph that would make the runtime access memory outside the model.
  private static func prepared(_ model: ModelBytes) throws -> PreparedModel {
    do { return try PreparedModel(model) } catch {
      guard error.cause is MetadataError else { throw error }
      // A graph for a device breaks rules that apply to LiteRT's CPU runtime.
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

  /// The tensors in the file, for one image: Keras leaves the number of images open.
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

  /// Returns the model in int8; nil if the stored one runs best.
  ///
  /// Measured only on x86-64; other processors run the stored model.
  private static func rewritten(_ stored: ModelBytes) throws -> PreparedModel? {
    #if arch(x86_64)
    // A damaged file is left to the runtime, whose errors are more specific.
    guard let rewrite = stored.withSpan({ try? Int8Rewrite(of: $0) }) else { return nil }
    let result = ModelBytes(count: rewrite.byteCount, name: stored.name) { target in
      stored.withSpan { rewrite.write($0, into: &target) }
    }
    // In a damaged file weights may overlap other data, so that rewriting them produces another graph.
    let checked = try prepared(result)
    // From here on, only metadata and labels are read from the stored bytes.
    stored.releasePages()
    return checked
    #else
    return nil
    #endif
  }

  /// Reads parts of a model's bytes; errors of `read` name parts of the file, so this adds the file's name.
  package static func parts<Part>(
    of model: ModelBytes, _ read: (Span<UInt8>) throws(MetadataError) -> Part
  ) throws(FoveaError) -> Part {
    do throws(MetadataError) { return try model.withSpan(read) } catch {
      var named = FoveaError(error)
      named.subject = model.name
      throw named
    }
  }

  /// Returns the labels of an output: from the label file if there is one, else from the metadata.
  /// - Returns: The labels; nil if neither has any.
  package func labels(output index: Int, locale: String?) throws -> LabelMap? {
    if let labelFile {
      guard locale == nil else {
        throw FoveaError.optionInvalid(
          "A locale was set, but the label file '\(labelFile)' has none",
          remedy: "Leave out the locale, or the label file")
      }
      var labels = try LabelMap(contentsOf: labelFile)
      // The model's own labels need not be readable if there is a label file.
      labels.ownNames = (try? ownLabels(output: index, locale: nil))?.names
      return labels
    }
    guard var labels = try ownLabels(output: index, locale: locale) else { return nil }
    labels.ownNames = labels.names
    return labels
  }

  /// Returns the labels in the model's file; nil if it has none.
  private func ownLabels(output index: Int, locale: String?) throws -> LabelMap? {
    let described = metadata?.outputs ?? []
    let namesFiles = described.contains { !$0.files(.valueLabels).isEmpty || !$0.files(.axisLabels).isEmpty }
    if locale == nil, !namesFiles, let exporter {
      return LabelMap(names: exporter.names, source: exporter.source)
    }
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else {
      guard let locale else { return nil }
      throw FoveaError.optionInvalid(
        "The locale '\(locale)' was set, but '\(name)' has no labels in its metadata",
        remedy: "Leave out the locale")
    }
    return try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in
      try LabelMap.read(for: outputs[index], locale: locale, model: bytes)
    }
  }

  /// Returns the metadata of an output.
  package func outputMetadata(_ index: Int) -> TensorMetadata? {
    guard let outputs = metadata?.outputs, outputs.indices.contains(index) else { return nil }
    return outputs[index]
  }

  /// The index of the output whose metadata names the label file of a detector's classes.
  package var labelOutputIndex: Int? {
    metadata?.outputs.firstIndex { !$0.files(.valueLabels).isEmpty || !$0.files(.axisLabels).isEmpty }
  }

  /// The score threshold in the metadata of the first output that has one.
  package var scoreThreshold: Float? { metadata?.outputs.lazy.compactMap(\.scoreThreshold).first }
}

/// Two loaded models are equal if they are copies of the same one and so share its session.
extension LoadedModel: Hashable {
  package static func == (left: LoadedModel, right: LoadedModel) -> Bool {
    left.sessionCache === right.sessionCache
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(sessionCache)) }
}
