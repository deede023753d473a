// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// Facts that a model does not declare, as hidden options.
struct ModelHintOptions: ParsableArguments, Sendable {
  @OptionGroup var reading: ModelReadingOptions

  @Option(
    help: ArgumentHelp(
      "The detector's family, if the model does not name it.", valueName: "name", visibility: .hidden),
    transform: ChoiceArgument.family)
  var family: DetectorFamily?

  @Option(
    help: ArgumentHelp(
      "Position of the background score: first or none.", valueName: "which", visibility: .hidden),
    transform: ChoiceArgument.value)
  var background: BackgroundArgument?

  /// The first given option that applies only to detectors; nil if there is none.
  var detectorOption: String? { family != nil ? "--family" : background != nil ? "--background" : nil }

  /// Applies these options to those of a detector.
  func apply(to options: inout ObjectDetector.Options) {
    reading.apply(to: &options)
    options.family = family
    options.hasBackgroundClass = background.map { $0 == .first }
  }
}
