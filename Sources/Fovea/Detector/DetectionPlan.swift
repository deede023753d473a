// SPDX-License-Identifier: Apache-2.0

import FoveaDetection
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// What is the same for every session of one detector: its models, the decoder, and the rules for results.
struct DetectionPlan: Sendable {
  let loaded: LoadedModel
  let classification: ClassificationPlan?
  let options: ObjectDetector.Options
  let session: SessionOptions

  /// The default threshold of boxes where neither option nor metadata has one.
  static let defaultThreshold: Float = 0.3

  init(model: ModelSource?, options: ObjectDetector.Options) throws {
    try options.check()
    self.options = options
    session = SessionOptions(threads: SessionThreads.count(asked: options.threads, sessions: options.sessions))
    var detector = try LoadedModel(model ?? .embeddedLocalizer, labelFile: options.labelFile)
    var classifier = try Self.classifier(for: detector, options: options)
    // A classifier in the detector's place labels what the embedded localizer finds.
    if model != nil, classifier == nil, options.classifier == .automatic, Self.isClassifier(detector) {
      classifier = detector
      detector = try LoadedModel(.embeddedLocalizer)
    }
    loaded = detector
    classification = try classifier.map { classifier in
      try ClassificationPlan(
        classifier,
        .init(
          threshold: options.labelThreshold, limit: options.maxLabels,
          // The lists are about classes: the detector's own where it has some, else the classifier's.
          allowed: detector.embedded == nil ? [] : options.allowedLabels,
          denied: detector.embedded == nil ? [] : options.deniedLabels,
          locale: detector.embedded == nil ? nil : options.locale,
          normalization: detector.embedded == nil ? nil : options.normalization, session: session))
    }
  }

  private static func classifier(for detector: LoadedModel, options: ObjectDetector.Options) throws -> LoadedModel? {
    switch options.classifier.storage {
    case .automatic: detector.embedded == .localizer ? try LoadedModel(.embeddedClassifier) : nil
    case .none: nil
    case .model(let source): try LoadedModel(source)
    }
  }

  private static func isClassifier(_ loaded: LoadedModel) -> Bool {
    (try? ClassifierHead(modelName: loaded.name, signature: loaded.model.signatures[0])) != nil
  }
}
