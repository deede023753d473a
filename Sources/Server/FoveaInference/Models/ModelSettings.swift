// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea

/// What a served model does not say about itself, or is to do in another way; by default what the model says counts.
package struct ModelSettings: Sendable, Equatable {
  /// The options of its detector or labeler, which count where a call does not say it.
  package var options = NamedOptions()
  /// Whether it stays loaded, however little memory is left for models.
  package var isPinned = false

  package init() {}

  /// The names of options in a configuration: the server itself limits pixels, `"classifier": "none"` stands for
  /// `no-classify`, and `max-labels` counts for the labels of an image as well.
  static let names: [String] = NamedOption.all.filter {
    !$0.users.isDisjoint(with: [.detector, .labeler])
      && !["max-pixels", "no-classify", "max-results"].contains($0.name)
  }.map(\.name)

  /// How many images it processes at a time; nil takes a session for each slot.
  var sessions: Int? { options.given.contains("sessions") ? options.detector.sessions : nil }

  /// The files that the settings name, as they are; nil for one that is not there.
  var fileStates: [FileState?] {
    [options.detector.labelFile, options.classifier].compactMap(\.self).map { FileState($0) }
  }

  /// The options of a detector with so many sessions.
  func detector(sessions: Int) -> ObjectDetector.Options {
    var detector = options.detector
    detector.needsMaxLabels = false
    detector.sessions = sessions
    // The slots share the cores.
    detector.threads = detector.threads ?? 1
    return detector
  }

  /// The options of a labeler with so many sessions.
  /// - Throws: `option-invalid` for a setting that is about detectors.
  func labeler(sessions: Int) throws(FoveaError) -> ImageLabeler.Options {
    if let name = options.unused(by: .labeler).first(where: { $0 != "max-labels" }) {
      throw .optionInvalid(
        "'\(name == "no-classify" ? "classifier" : name)' is about detectors, and the model is a classifier",
        remedy: "Leave it out")
    }
    var labeler = options.labeler
    labeler.sessions = sessions
    labeler.threads = labeler.threads ?? 1
    return labeler
  }
}
#endif
