// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

extension ModelReport {
  /// Loads and examines a model.
  /// - Parameters:
  ///   - source: The source of the model.
  ///   - options: The facts that the model does not declare.
  ///   - words: Renders remedies for their readers.
  ///   - testRun: Runs the model if requested.
  /// - Throws: As `ModelInspection.init`, and the errors of `testRun`.
  package init(
    _ source: ModelSource, options: ObjectDetector.Options, words: (Advice) -> String,
    testRun: (ModelInspection) throws(FoveaError) -> TestRun = { _ in .notAsked }
  ) throws(FoveaError) {
    let model = try ModelInspection(of: source, options: options)
    self.init(
      path: model.name, fileSize: model.byteCount,
      sha256: model.withBytes { SHA256.hexadecimal(of: $0) }, family: model.family, finds: model.finds,
      reason: model.reason,
      needs: model.needs.map(words), notes: model.notes, inputs: model.inputs.map(Tensor.init),
      outputs: model.outputs.map(Tensor.init),
      labels: model.labels.map { Labels($0, model, isGiven: options.labelFile != nil) },
      metadata: Metadata(model),
      signatures: model.signatures.map {
        Signature(
          key: $0.key ?? "", inputs: $0.inputs.map(\.signatureName), outputs: $0.outputs.map(\.signatureName))
      }, input: model.family == nil ? nil : Input(model),
      confidences: model.confidences.map(Confidences.init), testRun: try testRun(model))
  }
}

extension ModelReport.Labels {
  fileprivate init(_ labels: LabelMap, _ model: ModelInspection, isGiven: Bool) {
    count = labels.count
    names = labels.names
    locales = model.locales
    source = labels.source
    form = labels.form.rawValue
    classCount = model.classCount
    if isGiven || labels.form != .lines || !labels.remarks.isEmpty {
      reading = ([labels.form.words] + labels.remarks).joined(separator: ", ")
    }
  }
}

extension Double {
  /// Returns the shortest decimal number: 0.3 for the nearest Float, not 0.30000001192092896.
  fileprivate init(shortest value: Float) { self = Double(value.description) ?? Double(value) }
}

extension ModelReport.Input {
  fileprivate init(_ model: ModelInspection) {
    if let box = model.letterbox {
      letterbox = box.placement == .topLeft ? "top-left" : "center"
      padding = Int(box.padding)
    }
    isCropped = model.isCropped
    isBGR = model.isBGR
    isGrey = model.isGrey
    mean = model.normalization?.mean.map(Double.init(shortest:)) ?? []
    standardDeviation = model.normalization?.standardDeviation.map(Double.init(shortest:)) ?? []
    normalizationSource =
      switch model.normalizationSource {
      case .option: "option"
      case .metadata: "metadata"
      case .graph: "graph"
      case .family: "family"
      case .assumed: "assumed"
      case .none: nil
      }
  }
}

extension ModelReport.Confidences {
  fileprivate init(_ reading: ConfidenceReading) {
    // Numbers without labels may be measured values, which no activation changes.
    let isUnchanged = reading.source == .values && !reading.isLabeled
    activation = (isUnchanged ? .none : reading.activation).rawValue
    isBinary = reading.isBinary
    source =
      switch reading.source {
      case .option: "option"
      case .model: "model"
      case .assumed: "assumed"
      case .values: reading.columns > 1 ? "values" : "model"
      }
  }
}

extension ModelReport.Metadata {
  /// Nil if the model contains no metadata and nothing is assumed instead.
  fileprivate init?(_ model: ModelInspection) {
    let metadata = model.metadata
    // The family's normalisation is not part of the metadata.
    let normalization = model.normalizationSource == .family ? nil : model.normalization
    guard metadata != nil || normalization != nil else { return nil }
    self.init(
      name: metadata?.name, description: metadata?.description, version: metadata?.version,
      author: metadata?.author, license: metadata?.license,
      mean: normalization?.mean.map(Double.init(shortest:)) ?? [],
      standardDeviation: normalization?.standardDeviation.map(Double.init(shortest:)) ?? [],
      isNormalizationAssumed: model.normalizationSource == .assumed,
      threshold: model.threshold.map(Double.init(shortest:)))
  }
}

extension ModelReport.Tensor {
  fileprivate init(_ tensor: TensorDescription) {
    let quantization: Quantization? =
      switch tensor.quantization {
      case .perTensor(let scale, let zeroPoint):
        Quantization(scale: Double(scale), zeroPoint: zeroPoint, channels: 1)
      case .perChannel(let scales, let zeroPoints, _):
        Quantization(
          scale: Double(scales.first ?? 0), zeroPoint: zeroPoints.first ?? 0, channels: scales.count)
      case .none, .other: nil
      }
    self.init(
      name: tensor.name, type: tensor.elementType.description, shape: tensor.shape, quantization: quantization
    )
  }
}
