// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaDecoding
public import FoveaGeometry
public import FoveaMetadata
import FoveaModelFile
public import FoveaRuntime

extension ModelMetadata {
  /// Creates metadata from an exporter's description.
  init(_ exporter: ExporterDescription) {
    self.init()
    description = exporter.description
    version = exporter.version
    author = exporter.author
    license = exporter.license
  }
}

/// A model's tensors, metadata and family, and how Fovea would use it.
///
///     let inspection = try ModelInspection(of: .file("coco_ssd.tflite"))
///     print(inspection.family ?? inspection.reason)
///
/// Of a `.task` bundle of MediaPipe it describes the detector, which a landmark model follows, or the only
/// segmentation model.
public struct ModelInspection: Sendable {
  /// The path of the model's file, or the name of an embedded model.
  public let name: String
  /// The size of the model's file in bytes.
  public let byteCount: Int
  /// The model's signatures, with the shapes in the file.
  public let signatures: [ModelSignature]
  /// The inputs of the first signature with their shapes at run time.
  public let inputs: [TensorDescription]
  /// The outputs of the first signature at run time; shapes that the file leaves open are known here.
  public let outputs: [TensorDescription]
  /// The model's metadata; nil if it has none.
  public let metadata: ModelMetadata?
  /// "classifier", "segmentation" or the name of a detector family; nil if Fovea cannot use the model.
  public let family: String?
  /// The results of the model: "boxes", with "masks", "rotated boxes" or "keypoints" if there are any,
  /// "labels" or "map"; empty if Fovea cannot use the model.
  public let finds: [String]
  /// The reason why the model belongs to this family, or to none.
  public let reason: String
  /// The requirements for using the model; empty if it can be used without options.
  public let needs: [Advice]
  /// Repairs made in memory before the model runs, and notes if it does not run as usual: a sentence each
  /// without the full stop; empty for nearly every model.
  public let notes: [String]
  /// The labels with the class names, one for each class if the file can be read that way; nil if neither the
  /// model nor its folder has any.
  public let labels: LabelMap?
  /// The number of classes; nil if the outputs do not determine it, or for models without classes.
  public let classCount: Int?
  /// The locales of the display names in the metadata.
  public let locales: [String]
  /// The normalisation that will be used for the input; nil for raw pixels.
  public let normalization: Normalization?
  /// The source of the normalisation.
  public let normalizationSource: NormalizationSource
  /// The letterbox for an image of other proportions; nil if it is stretched.
  public let letterbox: Letterbox?
  /// Whether an image of other proportions is cropped to its middle, as for Ultralytics classifiers.
  public let isCropped: Bool
  /// Whether the input takes blue, green, red; false for red, green, blue, or if the input is unknown.
  public let isBGR: Bool
  /// Whether the input takes one number per pixel, the brightness; false if the input is unknown.
  public let isGrey: Bool
  /// The conversion of a classifier's outputs to confidences; nil for other models.
  public let confidences: ConfidenceReading?
  /// The threshold in the metadata; nil if there is none.
  public let threshold: Float?
  /// Whether results have classes but neither the model, its folder nor the caller names them.
  package let lacksLabels: Bool
  /// The number of features of a model that ends in them, as `ImageEmbedder` runs it; nil for other models.
  package let featureCount: Int?
  /// The first run as the model's task does it; nil for models other than detectors, classifiers and
  /// segmentation models.
  package let trial: ModelTrial?
  /// The model itself, for checksums and for callers that run its tensors.
  package let model: Model
  /// The shape of an input whose size the file leaves open; nil for others.
  private let openShape: [Int]?
  /// The `.task` bundle that contains the model; nil if it has its own file.
  private let bundle: ModelBytes?

  /// Loads and examines a model.
  /// - Parameters:
  ///   - source: The model to load.
  ///   - labelFile: A label file that replaces the model's own.
  /// - Throws: `model-unreadable`, `model-invalid`, `metadata-…`, `runtime-missing`. A model of an unknown
  ///   family is not an error: its `family` is nil.
  public init(of source: ModelSource, labelFile: String? = nil) throws(FoveaError) {
    var options = ObjectDetector.Options()
    options.labelFile = labelFile
    try self.init(of: source, options: options)
  }

  /// Loads and examines a model as it would be used with options.
  /// - Parameters:
  ///   - source: The model to load.
  ///   - options: Facts that the model does not declare: label file, family, activation, background,
  ///     normalisation; the other options have no effect.
  /// - Throws: The errors of `init(of:labelFile:)`, and `option-invalid`; for a bundle whose landmark model
  ///   cannot follow its detector, the error of `ObjectDetector`.
  public init(of source: ModelSource, options: ObjectDetector.Options) throws(FoveaError) {
    do {
      try options.check()
      let bundle = try TaskBundle(source)
      let first = try bundle?.first(options)
      try self.init(
        LoadedModel(first?.model ?? source, labelFile: options.labelFile, exact: true), options,
        bundle: bundle?.bytes, note: first?.note)
    } catch {
      throw FoveaError(error)
    }
  }

  private init(
    _ loaded: LoadedModel, _ options: ObjectDetector.Options, bundle: ModelBytes?, note: String?
  ) throws {
    model = loaded.model
    self.bundle = bundle
    openShape = loaded.openShape
    name = loaded.name
    byteCount = loaded.model.byteCount
    signatures = loaded.model.signatures
    metadata = loaded.metadata ?? loaded.exporter.map(ModelMetadata.init)
    let profile = ModelProfile(loaded, options)
    if profile.kind.unsupportedModel != nil {
      // Unreadable labels do not matter if there are no classes.
      labels = try? profile.labels.get()
    } else {
      labels = try profile.labels.get()
    }
    lacksLabels = profile.hasClassesToName && labels == nil
    featureCount = profile.kind.unsupportedModel?.featureCount
    classCount = profile.classCount
    trial = ModelTrial(profile)
    inputs = profile.signature.inputs
    outputs = profile.signature.outputs
    family = profile.family
    finds = profile.finds
    let recognition = FamilyRecognition(profile, labels: labels)
    reason = recognition.reason
    needs = recognition.needs
    notes =
      (profile.hasClassesToName ? loaded.remarks(labels) : loaded.repairs) + profile.notes
      + [note].compactMap(\.self)
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

  /// The size of the model's file, or of the bundle that contains it, in bytes.
  package var fileSize: Int { bundle?.count ?? byteCount }

  /// The SHA-256 of the model's file, or of the bundle that contains it, in hexadecimal digits.
  package var fileChecksum: String {
    bundle?.withSpan { SHA256.hexadecimal(of: $0) } ?? withBytes { SHA256.hexadecimal(of: $0) }
  }

  /// Calls `body` with the model's bytes, the whole content of its file.
  /// - Parameter body: Reads the bytes; the span must not escape it.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  package func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try model.withBytes(body)
  }
}

extension ModelInspection {
  /// Compiles the stored model, to run it.
  /// - Returns: A session with its inputs zeroed.
  /// - Throws: `model-unsupported` for a model that LiteRT cannot prepare.
  package func session() throws(FoveaError) -> Session {
    do throws(RuntimeError) {
      return try LoadedModel.session(of: model, SessionOptions(), openShape: openShape)
    } catch { throw failure(error) }
  }

  /// Returns the error of a model that does not run: it names the model's purpose if the operators show it,
  /// else LiteRT's reason.
  private func failure(_ error: RuntimeError) -> FoveaError {
    guard let operators = try? model.withBytes(ModelGraphSummary.customNames),
      let foreign = ForeignOperator.recognized(operators)
        ?? ForeignOperator.missing(operators, error: error.message)
    else { return FoveaError(error) }
    return foreign.error(modelName: name)
  }
}
