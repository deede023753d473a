// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea

/// Settings that complete or override a served model's own; by default the model's apply.
package struct ModelSettings: Sendable, Equatable {
  /// The detector's or labeler's options, for requests that do not set them.
  package var options = NamedOptions()
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
    [options.detector.labelFile, options.classifier].compactMap(\.self).map { FileState($0) }
  }

  /// Returns a detector's options with a number of sessions.
  /// - Throws: `option-invalid` for a family of other models.
  func detector(sessions: Int) throws(FoveaError) -> ObjectDetector.Options {
    try options.checkFamily(for: .detector)
    var detector = options.detector
    detector.needsMaxLabels = false
    detector.sessions = sessions
    // The slots share the cores.
    detector.threads = detector.threads ?? 1
    return detector
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
    var labeler = options.labeler
    labeler.sessions = sessions
    labeler.threads = labeler.threads ?? 1
    return labeler
  }
}
#endif
