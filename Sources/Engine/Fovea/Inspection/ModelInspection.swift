// SPDX-License-Identifier: Apache-2.0

public import FoveaDecoding
public import FoveaGeometry
public import FoveaMetadata
import FoveaModelFile
public import FoveaRuntime

extension ModelMetadata {
  /// The texts of an exporter's description.
  init(_ exporter: ExporterDescription) {
    self.init()
    description = exporter.description
    version = exporter.version
    author = exporter.author
    license = exporter.license
  }
}

/// What a model is: its tensors, its own description, and how Fovea would use it.
///
///     let inspection = try ModelInspection(of: .file("coco_ssd.tflite"))
///     print(inspection.family ?? inspection.reason)
public struct ModelInspection: Sendable {
  /// The path of the model's file, or the name of an embedded model.
  public let name: String
  /// The size of the model's file in bytes.
  public let byteCount: Int
  /// The ways to call the model, with the shapes that the file states.
  public let signatures: [ModelSignature]
  /// The inputs of the first signature as they are when the model runs.
  public let inputs: [TensorDescription]
  /// The outputs of the first signature as they are when the model runs; shapes that the file leaves open are known here.
  public let outputs: [TensorDescription]
  /// How the model describes itself; nil where it carries no metadata.
  public let metadata: ModelMetadata?
  /// "classifier" or the name of a detector family; nil where Fovea cannot use the model.
  public let family: String?
  /// Why it is of this family, or why it is of none.
  public let reason: String
  /// What would be needed to use it; empty where it can be used as it is.
  public let needs: [Advice]
  /// What is repaired in memory before the model runs, and how it computes where that is not as usual: a sentence each
  /// without the final stop; empty for nearly every model.
  public let notes: [String]
  /// The labels with the class names, as many as there are classes where the file can be read so; nil where neither the
  /// model nor its folder has any.
  public let labels: LabelMap?
  /// The number of classes; nil where the outputs do not fix it, and for models without classes.
  public let classCount: Int?
  /// The locales in which the metadata has display names.
  public let locales: [String]
  /// The normalisation of the input that will be used; nil where raw pixels go in.
  public let normalization: Normalization?
  /// Where the normalisation comes from.
  public let normalizationSource: NormalizationSource
  /// How an image of other proportions is fitted into the input; nil where it is stretched.
  public let letterbox: Letterbox?
  /// Whether only the middle of an image of other proportions is shown, as to classifiers out of Ultralytics.
  public let isCropped: Bool
  /// Whether the input takes blue, green, red; false for red, green, blue, and where the input is unknown.
  public let isBGR: Bool
  /// Whether the input takes one number for each pixel, the brightness; false where the input is unknown.
  public let isGrey: Bool
  /// How a classifier's numbers become confidences; nil for other models.
  public let confidences: ConfidenceReading?
  /// The threshold in the metadata; nil where it has none.
  public let threshold: Float?
  /// The model itself, for checksums and for those who run its tensors.
  package let model: Model

  /// Loads and examines a model.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - labelFile: A label file in place of the model's own.
  /// - Throws: `model-unreadable`, `model-invalid`, `metadata-…`, `runtime-missing`; never because the model is of no
  ///   known family: `family` is nil then.
  public init(of source: ModelSource, labelFile: String? = nil) throws(FoveaError) {
    var options = ObjectDetector.Options()
    options.labelFile = labelFile
    try self.init(of: source, options: options)
  }

  /// Loads and examines a model as it would be used with options.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - options: What the model does not say about itself: label file, family, activation, background, normalisation; the
  ///     others change nothing.
  /// - Throws: As `init(of:labelFile:)`, and `option-invalid`.
  public init(of source: ModelSource, options: ObjectDetector.Options) throws(FoveaError) {
    do {
      try options.check()
      try self.init(LoadedModel(source, labelFile: options.labelFile, exact: true), options)
    } catch {
      throw FoveaError(error)
    }
  }

  private init(_ loaded: LoadedModel, _ options: ObjectDetector.Options) throws {
    model = loaded.model
    name = loaded.name
    byteCount = loaded.model.byteCount
    signatures = loaded.model.signatures
    metadata = loaded.metadata ?? loaded.exporter.map(ModelMetadata.init)
    let profile = ModelProfile(loaded, options)
    if case .unsupported = profile.kind {
      // Labels that cannot be read do not matter where there are no classes.
      labels = try? profile.labels.get()
    } else {
      labels = try profile.labels.get()
    }
    classCount = profile.classCount
    inputs = profile.signature.inputs
    outputs = profile.signature.outputs
    family = profile.family
    let recognition = FamilyRecognition(profile, labels: labels)
    reason = recognition.reason
    needs = recognition.needs
    notes = (profile.hasClassesToName ? loaded.remarks(labels) : loaded.repairs) + profile.notes
    let image = profile.image
    normalization = image?.normalization
    normalizationSource = image?.normalizationSource ?? .none
    letterbox = image?.spec.letterbox
    isBGR = image?.spec.channelOrder == .bgr
    isGrey = image?.spec.channelOrder == .grey
    if image != nil, case .classifier(_, let reading) = profile.kind {
      (confidences, isCropped) = (reading, loaded.isUltralyticsClassifier)
    } else {
      (confidences, isCropped) = (nil, false)
    }
    let described = loaded.outputMetadata(loaded.labelOutputIndex ?? 0)
    locales = (described?.files ?? []).compactMap(\.locale).filter { !$0.isEmpty }
    threshold = loaded.scoreThreshold
  }

  /// Gives the model's bytes, the whole content of its file, for the length of `body`.
  /// - Parameter body: Reads the bytes; the span must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try model.withBytes(body)
  }
}

extension ModelInspection {
  /// Compiles the model as it is stored, to run it.
  /// - Returns: A session with its inputs zeroed.
  /// - Throws: `model-unsupported` for a model that LiteRT cannot prepare.
  package func session() throws(FoveaError) -> Session {
    do throws(RuntimeError) { return try Session(model: model) } catch { throw failure(error) }
  }

  /// The error of a model that does not run: what it was made for, if its operators show it, else what LiteRT says.
  private func failure(_ error: RuntimeError) -> FoveaError {
    guard let operators = try? model.withBytes(ModelGraphSummary.customNames),
      let foreign = ForeignOperator.recognized(operators)
        ?? ForeignOperator.missing(operators, error: error.message)
    else { return FoveaError(error) }
    return foreign.error(modelName: name)
  }
}
