// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

extension LoadedModel {
  /// Returns notes about unusual properties of the file.
  /// - Parameter labels: The labels in use.
  /// - Returns: Sentences without the full stop.
  func remarks(_ labels: LabelMap?) -> [String] {
    guard labels == nil, let file = blankLabels else { return repairs }
    let reason = "'\(name)' names '\(file.name.printable)', which has no labels"
    return repairs + ["\(reason): its classes are shown by number"]
  }

  /// The model's own label file if it has no labels, which then counts as missing; nil for others.
  package var blankLabels: (name: String, isEmpty: Bool)? {
    guard labelFile == nil, embedded == nil else { return nil }
    if let blankLabelFile { return (blankLabelFile, true) }
    guard let output = outputMetadata(labelOutputIndex ?? 0) else { return nil }
    return stored.withSpan { LabelMap.blankFile(for: output, model: $0) }
  }

  /// Returns the calibration in the metadata for the scores of an output; nil if there is none.
  package func calibration(output index: Int, classCount: Int) throws(FoveaError) -> ScoreCalibration? {
    guard let output = outputMetadata(index), output.scoreCalibration != nil else { return nil }
    return try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in
      try ScoreCalibration.read(for: output, classCount: classCount, model: bytes)
    }
  }

  /// Returns the last operation of the graph for each output, by name.
  func activations() throws(FoveaError) -> [String: OutputActivation] {
    try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in try OutputActivation.read(bytes) }
  }

  /// Returns how a classifier's outputs become confidences.
  /// - Throws: `option-invalid` for an activation of the embedded classifier, whose scores are probabilities;
  ///   the errors of `ConfidenceReading`.
  func confidences(
    of head: ClassifierHead, asked: ScoreActivation?, labelCount: Int?, isCalibrated: Bool
  ) throws -> ConfidenceReading {
    if embedded != nil, asked != nil {
      throw FoveaError.optionInvalid(
        "An activation has no effect on \(model: name): it already outputs probabilities",
        remedy: "Leave out \(option: "activation")")
    }
    // The graph is read only if it decides.
    let end = asked == nil && !head.holdsProbabilities ? try activations()[head.outputName] : nil
    return try ConfidenceReading(
      head, modelName: name, asked: asked, end: end, labelCount: labelCount, isCalibrated: isCalibrated)
  }

  /// Returns the pixel values that the beginning of the graph expects; nil if it does not show them, if the
  /// metadata declares them, and for inputs other than one image of float32.
  func pixelScale() throws(FoveaError) -> PixelScale? {
    metadata?.inputs.first?.normalization == nil ? try graphScale() : nil
  }

  /// Returns the pixel values that the beginning of the graph expects, regardless of the metadata.
  func graphScale() throws(FoveaError) -> PixelScale? {
    guard embedded == nil, signature.inputs.count == 1, signature.inputs[0].elementType == .float32
    else { return nil }
    return try LoadedModel.parts(of: stored, PixelScale.read)
  }

  /// Returns a detector's input, for facts that the model does not state.
  ///
  /// The embedded models were trained with stretched, antialiased images, regardless of their family.
  func detectorInput(_ usual: DetectorInput, fit: ImageFit?) -> DetectorInput {
    var input = embedded == nil ? usual : DetectorInput()
    switch fit {
    case nil: break
    case .stretch: input.letterbox = nil
    case .letterbox: input.letterbox = input.letterbox ?? Letterbox(.center)
    }
    return input
  }

  /// A classifier's input, for facts that neither the caller nor the model states.
  ///
  /// Two taps as in MediaPipe; the embedded classifier was trained with Pillow's images, and so were
  /// Ultralytics'.
  ///
  /// **Source:** Ultralytics, `data/augment.py`, `classify_transforms`: pixels 0…1.
  var classifierInput: DetectorInput {
    guard isUltralyticsClassifier else { return DetectorInput(usesTwoTaps: embedded == nil) }
    return DetectorInput(normalization: Normalization(mean: [0], standardDeviation: [255]))
  }

  /// Whether Ultralytics' exporter made this classifier.
  var isUltralyticsClassifier: Bool { exporter?.task == "classify" }

  /// Whether the model is described as a classifier: by a label file, even a blank one, by a minimum score,
  /// or by its exporter.
  var declaresScores: Bool {
    embedded != nil || isUltralyticsClassifier || blankLabels != nil || scoreThreshold != nil
  }

  /// The tasks whose models output boxes, among other things, labels or maps.
  private static let readTasks = ["detect", "segment", "pose", "obb", "classify", "semantic"]

  /// - Throws: `model-unsupported` for a model that was exported to find something other than boxes,
  ///   labels or maps.
  func checkTask() throws(FoveaError) {
    guard let task = exporter?.task, !Self.readTasks.contains(task) else { return }
    throw FoveaError(
      FoveaCode(RuntimeCode.modelUnsupported),
      "\(model: name) was exported for the task '\(task)'; Fovea reads models for"
        + " \(Self.readTasks.map { "'\($0)'" }.joined(separator: ", "))",
      remedy: "Export a model that was trained for one of these")
  }

  /// - Throws: `model-unsupported` for an input that is not an image or whose height or width the file leaves
  ///   open, and for operators that LiteRT's CPU runtime does not have.
  func checkInput() throws(FoveaError) {
    if let kind = try unsupportedInput() { throw kind.error(modelName: name) }
    try checkInputSize()
  }

  /// - Throws: `model-unsupported` for an input whose height or width is 0 or left open by the file.
  func checkInputSize() throws(FoveaError) {
    guard let input = model.signatures[0].inputs.first else { return }
    guard input.shape.count != 4 || !input.shape.contains(0) else {
      throw FoveaError(
        FoveaCode(RuntimeCode.modelUnsupported),
        "The input of \(model: name) is \(input): a side of 0 has no pixels",
        remedy: "Export the model with a fixed size, in Keras: keras.Input((224, 224, 3))")
    }
    guard let image = ImageShape([1] + input.shape.dropFirst()), input.shape.count == 4 else { return }
    let isOpen = image.width == -1 || image.height == -1
    guard isOpen || image.width == 1 && image.height == 1, openShape == nil else { return }
    throw FoveaError(
      FoveaCode(RuntimeCode.modelUnsupported),
      isOpen
        ? "The input of \(model: name) is \(input): its height and width are open, and Fovea needs a fixed"
          + " size"
        : "The input of \(model: name) is \(input), one pixel: an open size was exported as 1, and Fovea"
          + " needs a fixed one",
      remedy: "Export the model with a fixed size, in Keras: keras.Input((224, 224, 3))")
  }

  /// Returns the kind of a model whose operators or inputs make it unusable; nil for others.
  func unsupportedInput() throws(FoveaError) -> UnsupportedModel? {
    guard embedded == nil else { return nil }
    return UnsupportedModel.ofInputs(
      operators: try customOperators(), signature, content: metadata?.inputs.first?.content)
  }

  /// The names of the custom operators, each once.
  private func customOperators() throws(FoveaError) -> [String] {
    try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in
      try ModelGraphSummary.customNames(bytes)
    }
  }

  /// Returns the kind of a model that LiteRT did not prepare because of a missing operator; nil for other
  /// errors.
  func foreign(_ error: RuntimeError) -> UnsupportedModel? {
    guard embedded == nil, let operators = try? customOperators() else { return nil }
    return ForeignOperator.missing(operators, error: error.message)
  }

  /// Identifies a model that is neither a known detector nor a classifier.
  /// - Parameters:
  ///   - signature: The tensors with their shapes at run time.
  ///   - labelCount: The number of labels of the model.
  /// - Returns: The kind; nil for a model of no known kind.
  /// - Throws: `metadata-damaged-model` for a graph that cannot be read.
  func unsupportedKind(
    _ signature: ModelSignature, labelCount: Int?
  ) throws(FoveaError) -> UnsupportedModel? {
    guard embedded == nil else { return nil }
    return UnsupportedModel.ofOutputs(
      signature, ends: try activations(), labelCount: labelCount, task: exporter?.task)
  }

  /// Returns the outputs of a landmark model, which can be used without a detector; nil for other models.
  func landmarkHead(_ signature: ModelSignature) throws(FoveaError) -> LandmarkHead? {
    let stored = asStored(signature)
    guard embedded == nil, let head = LandmarkHead(of: stored) else { return nil }
    return Landmarks.isShown(head, stored, ends: try activations()) ? head : nil
  }

  /// Returns whether labels are the model's own for the two sides of a hand, as in MediaPipe's
  /// `hand_landmark_lite`, and name no class.
  func namesSides(_ labels: LabelMap?, of head: LandmarkHead) -> Bool {
    labelFile == nil && head.hasHandedness && labels?.count == 2
  }

  /// Returns the map of a segmentation model; nil for other models.
  func mapHead(_ signature: ModelSignature, labelCount: Int?) throws(FoveaError) -> MapHead? {
    guard embedded == nil else { return nil }
    return MapHead(of: signature, ends: try activations(), labelCount: labelCount, task: exporter?.task)
  }

  /// Returns the session that was compiled while examining the model, or a new one; the caller owns it.
  func session(_ options: SessionOptions) throws(RuntimeError) -> sending Session {
    if let kept = sessionCache.take(options) { return kept }
    return try Self.session(of: model, options, openShape: openShape)
  }

  /// Compiles a model.
  /// - Parameters:
  ///   - model: The model.
  ///   - options: The threads and kernels.
  ///   - openShape: The shape of an input whose size the file leaves open; nil keeps the shapes in the file.
  /// - Returns: The session; the caller owns it.
  /// - Throws: `modelUnsupported` for a model that LiteRT cannot prepare, or not with the shape.
  static func session(
    of model: Model, _ options: SessionOptions, openShape: [Int]?
  ) throws(RuntimeError) -> sending Session {
    guard let openShape else { return try Session(model: model, options: options) }
    let session = try Session(compiling: model, options: options, signature: 0)
    try session.allocate(inputShapes: [openShape])
    return session
  }

  /// The shape with which a model runs whose input leaves its size open; nil for other models, and if no
  /// family chooses a size.
  var openShape: [Int]? {
    guard embedded == nil, signature.inputs.count == 1 else { return nil }
    return DetectorFamily.openShape(of: signature)
  }

  /// Whether the graph computes shapes; false if it cannot be read, which other checks report.
  var computesShapes: Bool {
    guard embedded == nil, signature.inputs.count == 1 else { return false }
    return (try? stored.withSpan(ComputedShapes.areThere)) ?? false
  }

  /// Keeps a session for the next run of the model.
  func keep(_ session: sending Session, _ options: SessionOptions) { sessionCache.keep(session, options) }

  /// Returns the settings of the operator that ends a post-processed detector.
  func postProcess() throws(FoveaError) -> PostProcessOptions? {
    try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in try PostProcessOptions.read(bytes) }
  }
}
