// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// What is the same for every session of one detector: its models, the decoder, and the rules for results.
struct DetectionPlan: Sendable {
  let loaded: LoadedModel
  let session: SessionOptions
  let state: StateTensors
  let input: ImageInputTensor
  let decoder: any DetectionDecoder
  let labels: LabelMap?
  /// What may be a label too many; nil for most.
  let background: NamedBackground?
  let rules: DetectionRules
  let classification: ClassificationPlan?
  /// How the classifier's label takes the place of the detector's; nil where it does not.
  let relabeling: Relabeling?
  /// The classifier's class of what it has no name for; an object of it gets no label.
  ///
  /// Nil where all classes are shown.
  let namelessClass: Int?

  /// The default threshold of boxes where neither option nor metadata has one.
  static let defaultThreshold: Float = 0.3

  /// The options that the detector was made with.
  var options: ObjectDetector.Options { rules.options }

  init(model: ModelSource?, options: ObjectDetector.Options) throws {
    try options.check()
    try Relabeling.check(options)
    var options = options
    // Boxes of two classes on one thing would be two things with one name.
    if options.classifier.isRelabeling { options.suppression.isClassAgnostic = true }
    session = options.session
    // A classifier of the caller's labels what the localizer finds, which has no names of its own.
    let source = model ?? .embedded(options.classifier.isCustom ? .localizer : .detector)
    // The label file is the detector's; the localizer has no use for one, so there it is the classifier's.
    var detector = try LoadedModel(
      source, labelFile: source == .embedded(.localizer) ? nil : options.labelFile,
      exact: options.exactArithmetic)
    var classifier = try Self.classifier(for: detector, options: options)
    var profile = Self.profile(detector, options)
    // A classifier in the detector's place labels what the embedded localizer finds.
    if model != nil, classifier == nil, options.classifier == .automatic, options.family == nil,
      profile.isClassifier
    {
      classifier = detector
      detector = try LoadedModel(.embedded(.localizer))
      profile = Self.profile(detector, options)
    }
    loaded = detector
    let request = Self.request(options, detector, hasOwnClassifier: classifier?.embedded == nil)
    let classification = try classifier.map { try ClassificationPlan($0, request) }
    let facts = try profile.facts.get()
    if classification == nil { try Self.checkUnused(options, by: detector) }
    decoder = try facts.decoder(
      profile.kind, options, hasClassifier: classification.map { $0.loaded.embedded == nil } ?? false)
    relabeling = options.classifier.isRelabeling ? classification.map { Relabeling($0) } : nil
    // Without a choice of the caller's the rules are ML Kit's, which shows each class.
    namelessClass = options.classifier.isCustom && relabeling == nil ? classification?.noneClass : nil
    let hasClasses = decoder.hasClasses && relabeling == nil
    labels = hasClasses ? try facts.labels(for: decoder) : nil
    background = hasClasses ? facts.background(for: decoder) : nil
    input = try profile.input.get()
    state = facts.state
    // What the caller says of raw scores is about the detector where it has some, else about the classifier.
    let activation = facts.hasRawScores(decoder) ? nil : options.scoreActivation
    self.classification = try classification?.reading(activation)
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

  /// What is asked of the classifier.
  ///
  /// Lists, locale and normalisation are about the detector; the localizer has no use for them, so there they are about the
  /// classifier. Lists are so as well where its labels take the place of the detector's.
  private static func request(
    _ options: ObjectDetector.Options, _ detector: LoadedModel, hasOwnClassifier: Bool
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
    }
    // What raw scores need may be about the detector, which only its session tells: see below. Here it says that the
    // caller takes the model for a classifier.
    if detector.embedded != nil, hasOwnClassifier { request.activation = options.scoreActivation }
    return request
  }

  private static func defaultMaxObjects(
    _ detector: LoadedModel, _ decoder: any DetectionDecoder, _ options: ObjectDetector.Options
  ) -> Int {
    if options.classifier.isRelabeling { return min(Relabeling.defaultMaxObjects, decoder.maximumDetections) }
    return detector.embedded == .localizer ? EmbeddedModel.defaultMaxObjects : decoder.maximumDetections
  }

  /// Throws for options that are about a classifier's labels where there is no classifier.
  private static func checkUnused(
    _ options: ObjectDetector.Options, by detector: LoadedModel
  ) throws(FoveaError) {
    var given = [
      ("A threshold of labels", options.labelThreshold != nil),
      ("A number of labels", options.needsMaxLabels),
    ]
    // With a detector that has classes they are about that one.
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
      "\(unused) can only be for a classifier, and '\(detector.name)' is used without one",
      remedy: "Leave that out, or use a classifier")
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

  /// What a detector is; the localizer is shown its own pixel values, whatever the caller gives for the classifier.
  private static func profile(_ detector: LoadedModel, _ options: ObjectDetector.Options) -> ModelProfile {
    var own = options
    if detector.embedded == .localizer { own.normalization = nil }
    return ModelProfile(detector, own, session: options.session)
  }
}
