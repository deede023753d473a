// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// What a model does not say about itself, for commands that need no more of it.
struct ModelHintOptions: ParsableArguments, Sendable {
  @OptionGroup var reading: ModelReadingOptions

  @Option(
    help: ArgumentHelp(
      "The detector's family, if the model does not show it.", valueName: "name", visibility: .hidden),
    transform: ChoiceArgument.family)
  var family: DetectorFamily?

  @Option(
    help: ArgumentHelp(
      "Which raw score is the background's: first or none.", valueName: "which", visibility: .hidden),
    transform: ChoiceArgument.value)
  var background: BackgroundArgument?

  /// The first option that is given and says something of detectors alone.
  var detectorOption: String? { family != nil ? "--family" : background != nil ? "--background" : nil }

  /// Writes what was asked into the options of a detector.
  func apply(to options: inout ObjectDetector.Options) {
    reading.apply(to: &options)
    options.family = family
    options.hasBackgroundClass = background.map { $0 == .first }
  }
}
