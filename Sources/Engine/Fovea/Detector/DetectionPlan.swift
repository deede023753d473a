// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// The parts that all sessions of one detector share: its models, the decoder, and the rules for results.
struct DetectionPlan: Sendable {
  let loaded: LoadedModel
  let session: SessionOptions
  let state: StateTensors
  let input: ImageInputTensor
  let decoder: any DetectionDecoder
  let labels: LabelMap?
  /// The lines of the label file that might not be class names; nil if there are none.
  let unsettledLabels: UnsettledLabels?
  let rules: DetectionRules
  let classification: ClassificationPlan?
  /// The landmark model that follows; nil if there is none.
  let landmarks: LandmarkPlan?
  /// The rules that replace the detector's labels with the classifier's; nil if the detector keeps its own.
  let relabeling: Relabeling?
  /// The classifier's class for objects that it has no name for; such an object gets no label.
  ///
  /// Nil if all classes are shown.
  let namelessClass: Int?

  /// The default score threshold if neither the options nor the metadata sets one.
  static let defaultThreshold: Float = 0.3

  /// The names and edges of the keypoints; nil if there are none, or if nothing shows what they are.
  var keypointSet: KeypointSet? { landmarks?.head.family.keypointSet ?? decoder.keypointSet }

  /// The options that the detector was created with.
  var options: ObjectDetector.Options { rules.options }

  init(model: ModelSource?, options: ObjectDetector.Options) throws {
    try options.check()
    try Relabeling.check(options)
    var (model, options) = (model, options)
    var isBundle = false
    if let bundle = try TaskBundle(model)?.landmarker() {
      model = bundle.detector
      isBundle = options.landmarks == nil
      options.landmarks = options.landmarks ?? bundle.landmarks
    }
    // Boxes of two classes on one object would become two objects with one name.
    if options.classifier.isRelabeling { options.suppression.isClassAgnostic = true }
    session = options.session
    // A custom classifier labels the objects of the localizer, which has no names of its own.
    let source = model ?? .embedded(options.classifier.isCustom ? .localizer : .detector)
    // The label file belongs to the detector. The localizer needs none, so that the file belongs to the
    // classifier if the localizer is the detector.
    var detector = try LoadedModel(
      source, labelFile: source == .embedded(.localizer) ? nil : options.labelFile,
      exact: options.exactArithmetic)
    var classifier = try Self.classifier(for: detector, options: options)
    var profile = Self.profile(detector, options)
    // A classifier given as the detector labels the objects of the embedded localizer.
    if model != nil, classifier == nil, options.classifier == .automatic, options.family == nil,
      profile.isClassifier
    {
      classifier = detector
      detector = try LoadedModel(.embedded(.localizer))
      profile = Self.profile(detector, options)
    }
    loaded = detector
    let facts = try profile.facts.get()
    if classifier == nil { try Self.checkUnused(options, by: detector) }
    decoder = try facts.decoder(
      profile.kind, options, hasClassifier: classifier.map { $0.embedded == nil } ?? false)
    let request = Self.request(options, detector, hasRawScores: facts.hasRawScores(decoder))
    classification = try classifier.map { model in
      try request.advice.run { try ClassificationPlan(model, request) }
    }
    relabeling = options.classifier.isRelabeling ? classification.map { Relabeling($0) } : nil
    // If the caller sets no classifier, ML Kit's rules apply, which show each class.
    namelessClass = options.classifier.isCustom && relabeling == nil ? classification?.noneClass : nil
    let hasClasses = decoder.hasClasses && relabeling == nil
    labels = hasClasses ? try facts.labels(for: decoder) : nil
    unsettledLabels = hasClasses ? facts.unsettledLabels(for: decoder) : nil
    input = try profile.input.get()
    state = facts.state
    landmarks = try LandmarkPlan(
      options, after: detector, decoder, labels, input.spec.size, ofBundle: isBundle)
    rules = DetectionRules(
      options: options,
      modelThreshold: detector.scoreThreshold ?? decoder.defaultThreshold ?? Self.defaultThreshold,
      modelMaximum: Self.defaultMaxObjects(detector, decoder, options),
      filter: try ClassFilter(
        allowed: hasClasses ? options.allowedLabels : [],
        denied: hasClasses ? options.deniedLabels : [],
        labels: labels, modelName: detector.name),
      ranking: classification?.ranking)
  }

  /// Returns the options for the classifier.
  ///
  /// Label lists, locale and normalisation belong to the detector. If the detector is the localizer, which
  /// needs none of them, they belong to the classifier. The lists also belong to the classifier if its labels
  /// replace the detector's. The activation belongs to the detector if it has raw scores, else to the
  /// classifier.
  private static func request(
    _ options: ObjectDetector.Options, _ detector: LoadedModel, hasRawScores: Bool
  ) -> ClassificationPlan.Request {
    let isRelabeling = options.classifier.isRelabeling
    var request = ClassificationPlan.Request(
      threshold: options.labelThreshold ?? (isRelabeling ? 0 : nil), limit: options.maxLabels,
      session: options.session)
    if detector.embedded == .localizer || isRelabeling {
      request.allowed = options.allowedLabels
      request.denied = options.deniedLabels
    }
    if detector.embedded == .localizer {
      request.locale = options.locale
      request.normalization = options.normalization
    } else {
      request.advice.withheld = ["labels", "normalize"]
    }
    if hasRawScores {
      request.advice.withheld.insert("activation")
    } else {
      request.activation = options.scoreActivation
    }
    return request
  }

  private static func defaultMaxObjects(
    _ detector: LoadedModel, _ decoder: any DetectionDecoder, _ options: ObjectDetector.Options
  ) -> Int {
    if options.classifier.isRelabeling { return min(Relabeling.defaultMaxObjects, decoder.maximumDetections) }
    return detector.embedded == .localizer ? EmbeddedModel.defaultMaxObjects : decoder.maximumDetections
  }

  /// Throws if an option needs a classifier and there is none.
  private static func checkUnused(
    _ options: ObjectDetector.Options, by detector: LoadedModel
  ) throws(FoveaError) {
    var given = [
      ("A label threshold", options.labelThreshold != nil),
      ("A maximum number of labels", options.needsMaxLabels),
    ]
    // If the detector has classes, these options apply to it.
    if detector.embedded == .localizer {
      given += [
        ("A label file", options.labelFile != nil), ("A locale", options.locale != nil),
        ("Labels to allow", !options.allowedLabels.isEmpty),
        ("Labels to deny", !options.deniedLabels.isEmpty),
        ("A normalisation", options.normalization != nil),
      ]
    }
    guard let unused = given.first(where: \.1)?.0 else { return }
    throw .optionInvalid(
      "\(unused) can only be used with a classifier, and '\(detector.name)' is used without one",
      remedy: "Remove that option, or use a classifier")
  }

  private static func classifier(for detector: LoadedModel, options: ObjectDetector.Options) throws
    -> LoadedModel?
  {
    let labelFile = detector.embedded == .localizer ? options.labelFile : nil
    return switch options.classifier.storage {
    case .automatic:
      detector.embedded == .localizer
        ? try LoadedModel(.embedded(.classifier), labelFile: labelFile) : nil
    case .none: nil
    case .model(let source), .relabeling(let source):
      try LoadedModel(source, labelFile: labelFile, exact: options.exactArithmetic)
    }
  }

  /// Returns the profile of the detector; the localizer always uses its own normalisation, because the
  /// caller's belongs to the classifier.
  private static func profile(_ detector: LoadedModel, _ options: ObjectDetector.Options) -> ModelProfile {
    var own = options
    if detector.embedded == .localizer { own.normalization = nil }
    return ModelProfile(detector, own, session: options.session)
  }
}
