// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea

/// Settings that complete or override a served model's own; by default the model's apply.
package struct ModelSettings: Sendable, Equatable {
  /// The worker's options, for requests that do not set them.
  package var options = NamedOptions()
  /// The task, if not that of the model's kind: a classifier can compute features too.
  package var task: ServedTask?
  /// Whether the model stays loaded even if other models need its memory.
  package var isPinned = false

  package init() {}

  /// The names of options in a configuration.
  ///
  /// Three options are left out: `max-pixels`, which the server itself sets; `no-classify`, written as
  /// `"classifier": "none"`; and `max-results`, since `max-labels` also limits the labels of an image.
  package static let names: [String] = NamedOption.all.filter {
    !$0.users.isDisjoint(with: [.detector, .labeler])
      && !["max-pixels", "no-classify", "max-results"].contains($0.name)
  }.map(\.name)

  /// The number of images processed at a time; nil for one session per slot.
  var sessions: Int? { options.given.contains("sessions") ? options.detector.sessions : nil }

  /// The current state of the files in the settings; nil for a missing one.
  var fileStates: [FileState?] {
    [options.detector.labelFile, options.classifier, options.detector.landmarks?.path].compactMap(\.self)
      .map { FileState($0) }
  }

  /// Returns the task of a model: the setting, or that of the model's kind.
  ///
  /// The worker of another task explains why it cannot use the model.
  func task(of inspection: ModelInspection) -> ServedTask {
    if let task { return task }
    if options.mapFamily != nil || inspection.family == ModelKind.segmenterName { return .segment }
    if inspection.family == ModelKind.classifierName { return .label }
    return inspection.featureCount == nil ? .detect : .embed
  }

  /// Returns a detector's options with a number of sessions.
  /// - Throws: `option-invalid` for a family of other models.
  func detector(sessions: Int) throws(FoveaError) -> ObjectDetector.Options {
    try options.checkFamily(for: .detector)
    var detector = options.detector
    detector.needsMaxLabels = false
    return slots(detector, sessions)
  }

  /// Returns a labeler's options with a number of sessions.
  /// - Throws: `option-invalid` for a setting that applies only to detectors.
  func labeler(sessions: Int) throws(FoveaError) -> ImageLabeler.Options {
    if let name = options.unused(by: .labeler).first(where: { $0 != "max-labels" }) {
      throw .optionInvalid(
        "'\(name == "no-classify" ? "classifier" : name)' applies to detectors, but the model is a "
          + "classifier",
        remedy: "Omit it")
    }
    return slots(options.labeler, sessions)
  }

  /// Returns a segmenter's options with a number of sessions.
  /// - Throws: `option-invalid` for a setting that does not apply to segmenters.
  func segmenter(sessions: Int) throws(FoveaError) -> ImageSegmenter.Options {
    try check(for: .segmenter, .segment)
    return slots(options.segmenter, sessions)
  }

  /// Returns an embedder's options with a number of sessions.
  /// - Throws: `option-invalid` for a setting that does not apply to embedders.
  func embedder(sessions: Int) throws(FoveaError) -> ImageEmbedder.Options {
    try check(for: .embedder, .embed)
    return slots(options.embedder, sessions)
  }

  /// Returns options with a number of sessions; the slots share the cores.
  private func slots<Options: ModelOptions>(_ options: Options, _ sessions: Int) -> Options {
    var options = options
    options.sessions = sessions
    options.threads = options.threads ?? 1
    return options
  }

  private func check(for user: NamedOption.User, _ task: ServedTask) throws(FoveaError) {
    guard let name = options.unused(by: user).first else { return try options.checkFamily(for: user) }
    throw .optionInvalid(
      "'\(name == "no-classify" ? "classifier" : name)' does not apply to a model that \(task.work)",
      remedy: "Omit it")
  }
}
#endif
