// SPDX-License-Identifier: Apache-2.0

import FoveaDetection
import FoveaLabeling
import FoveaMetadata
import FoveaRuntime

/// What the rules ask of a model, read once.
struct RuleFacts {
  let loaded: LoadedModel
  let graph: ModelGraphSummary
  let archive: ModelArchive?
  /// Tensors with the shapes that they have when the model runs, for one image.
  let signature: ModelSignature
  /// "classifier" or the name of a detector family by the outputs; nil where the model is of none.
  let family: String?
  /// Why Fovea cannot use a model that has a classifier's output; nil for those that it takes, and where labels or
  /// calibration are the reason, which have rules of their own.
  let refusal: FoveaError?
  /// The normalisation, wherever it comes from; nil where pixels go in as they are, and where nothing tells it.
  let knownNormalization: Normalization?
  /// Where the normalisation comes from; nil where the input is no image.
  let normalizationSource: NormalizationSource?
  /// The normalisation that graph or family tell, whatever option and metadata say; nil where neither does.
  let toldNormalization: ToldNormalization?
  /// The labels, or why there are none though something names them.
  let labels: Result<LabelMap?, FoveaError>
  /// What is wrong with the calibration that the metadata name; nil where it is in order, or there is none.
  let calibrationError: FoveaError?
  /// The number of classes that a detector tells apart, where its outputs say.
  let classCount: Int?
  /// A detector's labels as they fit its classes, or why they do not.
  let detectorLabels: Result<LabelMap?, FoveaError>
  /// Which outputs of a post-processed SSD are boxes, classes, scores and count; nil for other models.
  let detectorOutputs: [Int]?
  /// The inputs and outputs that carry the model's memory.
  let stateCount: Int

  var metadata: ModelMetadata? { loaded.metadata }
  var isDetector: Bool { family != nil && family != "classifier" }
  /// The output whose labels count: a classifier's first, a detector's class output.
  var labelOutput: Int { isDetector ? loaded.labelOutputIndex ?? 0 : 0 }

  init(_ source: ModelSource, labelFile: String?, normalization: Normalization?) throws {
    var options = ObjectDetector.Options()
    options.labelFile = labelFile
    options.normalization = normalization
    try options.check()
    loaded = try LoadedModel(source, labelFile: labelFile, exact: true)
    if let normalization { try ImageInputTensor.check(normalization, modelName: loaded.name) }
    graph = try LoadedModel.parts(of: loaded.stored) { bytes throws(MetadataError) in
      try ModelGraphSummary.read(bytes)
    }
    archive = try LoadedModel.parts(of: loaded.stored) { bytes throws(MetadataError) in
      try ModelArchive.read(bytes)
    }
    var signature = loaded.signature
    var facts: DetectorFacts?
    // Text has no size before it is there, so that nothing runs it; rules 5 and 10 tell.
    let hasText = (signature.inputs + signature.outputs).contains { $0.elementType == .string }
    if !hasText, (try? loaded.checkInput()) != nil {
      // A model that does not compile cannot be used by anyone: that is an error, no broken rule.
      let session = try Session(model: loaded.model)
      facts = try? DetectorFacts(loaded, session, options)
      signature.inputs = session.inputs
      signature.outputs = session.outputs
    }
    self.signature = signature
    let labelOutput = loaded.labelOutputIndex ?? 0
    labels = Self.labels(of: loaded, output: labelOutput)
    let recognition = FamilyRecognition(loaded, options, labelCount: (try? labels.get())?.count)
    stateCount = recognition.stateCount
    var family = recognition.family
    var refusal: FoveaError?
    // Broken labels and open sizes hide what the outputs are.
    if family == nil, (try? ClassifierHead(modelName: loaded.name, signature: signature)) != nil {
      family = "classifier"
      refusal = Self.refusal(of: loaded, normalization: normalization)
    }
    self.family = family
    self.refusal = refusal
    knownNormalization =
      recognition.input?.normalizationSource == .assumed
      ? nil
      : recognition.input?.spec.normalization.map {
        Normalization(mean: $0.mean, standardDeviation: $0.standardDeviation)
      }
    toldNormalization = recognition.told.flatMap(ToldNormalization.init)
    normalizationSource =
      recognition.input?.normalizationSource ?? Self.statedSource(loaded, normalization: normalization)
    let decoder = family == "classifier" ? nil : try? facts?.recognizer.decoder(family: nil)
    classCount = decoder?.classCount
    detectorLabels = Self.labels(for: decoder, facts)
    detectorOutputs = facts?.recognizer.postProcessedOutputs
    calibrationError = Self.calibrationError(loaded, signature, labels: try? labels.get())
  }

  /// What the labeler would refuse a classifier with.
  private static func refusal(of loaded: LoadedModel, normalization: Normalization?) -> FoveaError? {
    do {
      let request = ClassificationPlan.Request(threshold: nil, limit: 1, normalization: normalization)
      _ = try ClassificationPlan(loaded, request)
      return nil
    } catch {
      let error = FoveaError(error)
      return error.code == RuntimeCode.modelUnsupported || error.code == LabelingCode.notAClassifier
        ? error : nil
    }
  }

  /// Where the normalisation would come from, as far as option and metadata tell.
  private static func statedSource(
    _ loaded: LoadedModel, normalization: Normalization?
  ) -> NormalizationSource? {
    if normalization != nil { return .option }
    guard loaded.signature.inputs.first?.elementType == .float32 else { return nil }
    return loaded.metadata?.inputs.first?.normalization == nil ? .assumed : .metadata
  }

  private static func labels(of loaded: LoadedModel, output: Int) -> Result<LabelMap?, FoveaError> {
    do {
      return .success(try loaded.labels(output: output, locale: nil))
    } catch {
      return .failure(FoveaError(error))
    }
  }

  private static func labels(
    for decoder: (any DetectionDecoder)?, _ facts: DetectorFacts?
  ) -> Result<LabelMap?, FoveaError> {
    guard let decoder, let facts else { return .success(nil) }
    do throws(FoveaError) {
      return .success(try facts.labels(for: decoder))
    } catch {
      return .failure(error)
    }
  }

  private static func calibrationError(
    _ loaded: LoadedModel, _ signature: ModelSignature, labels: LabelMap??
  ) -> FoveaError? {
    guard let index = loaded.metadata?.outputs.firstIndex(where: { $0.scoreCalibration != nil }) else {
      return nil
    }
    let head = try? ClassifierHead(modelName: loaded.name, signature: signature)
    guard let count = head?.classCount ?? (labels ?? nil)?.count else { return nil }
    do throws(FoveaError) {
      _ = try loaded.calibration(output: index, classCount: count)
      return nil
    } catch {
      return error
    }
  }
}
