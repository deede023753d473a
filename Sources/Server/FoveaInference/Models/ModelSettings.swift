// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea

/// What a served model does not say about itself, or is to do in another way; by default what the model says counts.
package struct ModelSettings: Sendable, Equatable {
  /// The lowest score, 0…1, where a call names none.
  package var threshold: Float?
  /// The most objects or labels, 1 or more, where a call names no number.
  package var maxObjects: Int?
  package var maxLabels: Int?
  /// The lowest confidence of a classifier's label, 0…1.
  package var labelThreshold: Float?
  /// A file of labels: lines, pbtxt, CSV, JSON or YAML.
  package var labels: String?
  /// The name of a detector's family, where the model does not show it.
  package var family: String?
  /// What labels the objects of a detector: a model's file, or `none`.
  package var classifier: String?
  package var normalization: Normalization?
  /// How many images it processes at a time, 1 or more; nil takes a session for each slot.
  package var sessions: Int?
  /// The threads of one session, 1…256; 1 by default, where the slots share the cores.
  package var threads = 1
  /// Whether it stays loaded, however little memory is left for models.
  package var isPinned = false

  package init() {}

  /// The files that the settings name, as they are; nil for one that is not there.
  var fileStates: [FileState?] {
    [labels, classifier == "none" ? nil : classifier].compactMap(\.self).map { FileState($0) }
  }

  /// What decides whether a model detects or labels.
  var inspection: ObjectDetector.Options {
    var options = ObjectDetector.Options()
    options.labelFile = labels
    options.family = family.flatMap { DetectorFamily(name: $0) }
    options.normalization = normalization
    return options
  }

  /// The options of a detector with so many sessions.
  func detector(sessions: Int) -> ObjectDetector.Options {
    var options = inspection
    options.threshold = threshold
    options.maxObjects = maxObjects
    options.maxLabels = maxLabels ?? options.maxLabels
    options.labelThreshold = labelThreshold
    options.sessions = sessions
    options.threads = threads
    switch classifier {
    case "none": options.classifier = .none
    case let file?: options.classifier = .model(.file(file))
    case nil: break
    }
    return options
  }

  /// The options of a labeler with so many sessions.
  /// - Throws: `option-invalid` for a setting that is about detectors.
  func labeler(sessions: Int) throws(FoveaError) -> ImageLabeler.Options {
    for (name, isGiven) in [
      ("max-objects", maxObjects != nil), ("label-threshold", labelThreshold != nil),
      ("classifier", classifier != nil), ("family", family != nil),
    ] where isGiven {
      throw .optionInvalid(
        "'\(name)' is about detectors, and the model is a classifier", remedy: "Leave it out")
    }
    var options = ImageLabeler.Options()
    options.threshold = threshold
    options.maxResults = maxLabels ?? options.maxResults
    options.labelFile = labels
    options.normalization = normalization
    options.sessions = sessions
    options.threads = threads
    return options
  }
}
#endif
