// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// What a model does not say about itself, for commands that need no more of it.
struct ModelHintOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "A file of labels: lines, pbtxt, CSV, JSON or YAML.", valueName: "file", visibility: .hidden))
  var labels: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std", visibility: .hidden),
    transform: NormalizationArgument.init)
  var normalize: NormalizationArgument?

  @Option(
    help: ArgumentHelp(
      "The detector's family, if the model does not show it.", valueName: "name", visibility: .hidden),
    transform: FamilyArgument.init)
  var family: FamilyArgument?

  @Option(
    help: ArgumentHelp(
      "What raw scores need: none, sigmoid or softmax.", valueName: "name", visibility: .hidden),
    transform: ChoiceArgument.value)
  var activation: ActivationArgument?

  @Option(
    help: ArgumentHelp(
      "Which raw score is the background's: first or none.", valueName: "which", visibility: .hidden),
    transform: ChoiceArgument.value)
  var background: BackgroundArgument?

  func validate() throws {
    if labels?.isEmpty == true { throw ValidationError("--labels needs the name of a file.") }
  }

  /// The first option that is given and says something of detectors alone.
  var detectorOption: String? {
    family != nil ? "--family" : background != nil ? "--background" : nil
  }

  /// Writes what was asked into the options of a detector.
  func apply(to options: inout ObjectDetector.Options) {
    options.labelFile = labels
    options.normalization = normalize?.normalization
    options.family = family?.family
    options.scoreActivation = activation?.activation
    options.hasBackgroundClass = background.map { $0 == .first }
  }

  /// Writes what was asked into the options of a labeler.
  func apply(to options: inout ImageLabeler.Options) {
    options.labelFile = labels
    options.normalization = normalize?.normalization
    options.scoreActivation = activation?.activation
  }
}
