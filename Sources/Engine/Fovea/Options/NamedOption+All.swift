// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaImage
import FoveaMetadata
import FoveaTracking

extension NamedOption {
  private static let both: Set<User> = [.detector, .labeler]
  private static let judges: Set<User> = [.quantizer, .comparison]
  private static let labelled = judges.union([.detector, .labeler, .segmenter])
  private static let models: Set<User> = [.detector, .labeler, .segmenter, .embedder]

  /// All options.
  ///
  /// A new option needs a property of `ObjectDetector.Options`, one of `Selection` if calls may set it, and a
  /// row.
  package static let all: [NamedOption] = perCall + fixed

  /// The maximum number of objects, which some clients send under the same name.
  package static let maxObjects = NamedOption(
    "max-objects", [.detector, .tracker], .count { $0.selection.maxObjects = $1 })

  /// The options that a call can override.
  package static let perCall: [NamedOption] = [
    NamedOption(
      "threshold", [.detector, .labeler, .tracker, .comparison], .fraction { $0.selection.threshold = $1 }),
    maxObjects,
    NamedOption("single", [.detector, .tracker], .flag { $0.selection.singleObject = $1 }),
    NamedOption("slice", [.detector], .flag { $0.slice($1) }),
    NamedOption("label-threshold", [.detector], .fraction { $0.selection.labelThreshold = $1 }),
    NamedOption("max-labels", [.detector], .count { $0.selection.maxLabels = $1 }),
    NamedOption("allow", both, .labels { $0.selection.allowedLabels = $1 }),
    NamedOption("deny", both, .labels { $0.selection.deniedLabels = $1 }),
  ]

  private static let fixed: [NamedOption] = [
    NamedOption("slice-size", [.detector], .count { $0.tiles.tileSize = $1 }),
    NamedOption("slice-overlap", [.detector], .number { $0.tiles.overlap = $1 }),
    NamedOption("classifier", [.detector], .text { $0.classifier = $1 }),
    NamedOption("no-classify", [.detector], .flag { $0.isUnclassified = $1 }),
    NamedOption("landmarks", [.detector], .text { $0.fixed.landmarks = .file($1) }),
    NamedOption("landmark-threshold", [.detector], .fraction { $0.fixed.landmarkThreshold = $1 }),
    NamedOption("landmark-iou", [.detector], .number { $0.fixed.landmarkIoU = $1 }),
    NamedOption("smooth-landmarks", [.detector], .flag { $0.fixed.smoothLandmarks = $1 }),
    NamedOption("max-results", [.labeler], .count { $0.maxResults = $1 }),
    NamedOption("labels", labelled, .text { $0.fixed.labelFile = $1 }),
    NamedOption("locale", [.detector, .labeler, .segmenter], .text { $0.fixed.locale = $1 }),
    NamedOption("normalize", models.union(judges), .normalization { $0.fixed.normalization = $1 }),
    NamedOption("exact", models, .flag { $0.fixed.exactArithmetic = $1 }),
    NamedOption(
      "family", judges.union([.detector, .segmenter]),
      .family({ $0.family = .objects($1) }, maps: { $0.family = .maps($1) })),
    NamedOption(
      "activation", judges.union(both),
      .choice(ScoreActivation.allCases.map(\.rawValue)) {
        $0.fixed.scoreActivation = ScoreActivation(rawValue: $1)
      }),
    NamedOption(
      "background", judges.union([.detector]),
      .choice(["first", "none"]) { $0.fixed.hasBackgroundClass = $1 == "first" }),
    NamedOption("iou", [.detector], .number { $0.fixed.suppression.iouThreshold = $1 }),
    NamedOption("cross-class-iou", [.detector], .number { $0.fixed.suppression.crossClassIoU = $1 }),
    NamedOption("class-agnostic", [.detector], .flag { $0.fixed.suppression.isClassAgnostic = $1 }),
    NamedOption(
      "fit", [.detector],
      .choice(ImageFit.allCases.map(\.rawValue)) { $0.fixed.fit = ImageFit(rawValue: $1) }),
    NamedOption("threads", models.union(judges), .count { $0.fixed.threads = $1 }),
    NamedOption("sessions", models, .count { $0.fixed.sessions = $1 }),
    NamedOption(
      "decode", models, .choice(["scaled", "full"]) { $0.fixed.reducedSizeDecoding = $1 == "scaled" }),
    NamedOption("max-pixels", models.union(judges), .count { $0.fixed.imageLimits.maxPixels = $1 }),
    NamedOption(
      "tracker", [.tracker],
      .choice(TrackerKind.allCases.map(\.rawValue)) { $0.tracker = TrackerKind(rawValue: $1) }),
    NamedOption("every", [.tracker], .count { $0.every = $1 }),
    NamedOption("frame-rate", [.tracker], .number { $0.frameRate = $1 }),
    NamedOption("config", [.tracker], .text { $0.config = $1 }),
    NamedOption("at-least", [.quantizer], .number { $0.leastAgreement = $1 }),
    NamedOption("keep-float", [.quantizer], .labels { $0.keptLayers = $1 }),
    NamedOption("float-layers", [.quantizer], .count { $0.mostFloatLayers = $1 }),
    NamedOption("ground-truth", judges, .text { $0.groundTruth = $1 }),
  ]
}
