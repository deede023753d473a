// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// Facts that a model does not declare, for commands that examine it and show these options in their help.
struct ModelDescriptionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The detector's family, if the model does not name it.", valueName: "name"),
    transform: ChoiceArgument.family)
  var family: DetectorFamily?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std"),
    transform: ChoiceArgument.normalization)
  var normalize: Normalization?

  @Option(
    help: ArgumentHelp(
      "Activation for raw scores, if the model does not declare it: none, sigmoid or softmax.",
      valueName: "name"),
    completion: .list(ScoreActivation.allCases.map(\.rawValue)), transform: ChoiceArgument.value)
  var activation: ScoreActivation?

  @Option(
    help: ArgumentHelp("Position of the background score: first or none.", valueName: "which"),
    completion: .list(BackgroundArgument.allValueStrings), transform: ChoiceArgument.value)
  var background: BackgroundArgument?

  /// Returns the detector options for this description, with a label file that replaces the model's own.
  func options(labelFile: String?) -> ObjectDetector.Options {
    var options = ObjectDetector.Options()
    options.labelFile = labelFile
    options.family = family
    options.normalization = normalize
    options.scoreActivation = activation
    options.hasBackgroundClass = background.map { $0 == .first }
    return options
  }
}
