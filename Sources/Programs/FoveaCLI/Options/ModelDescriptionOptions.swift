// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// What a model does not say about itself, for commands that examine it and whose help shows these options.
struct ModelDescriptionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The detector's family, if the model does not show it.", valueName: "name"),
    transform: ChoiceArgument.family)
  var family: DetectorFamily?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std"),
    transform: ChoiceArgument.normalization)
  var normalize: Normalization?

  @Option(
    help: ArgumentHelp(
      "What raw scores need, if the model does not show it: none, sigmoid or softmax.", valueName: "name"),
    completion: .list(ScoreActivation.allCases.map(\.rawValue)), transform: ChoiceArgument.value)
  var activation: ScoreActivation?

  @Option(
    help: ArgumentHelp("Which raw score is the background's: first or none.", valueName: "which"),
    completion: .list(BackgroundArgument.allValueStrings), transform: ChoiceArgument.value)
  var background: BackgroundArgument?

  /// The options of a detector that is described so, with a label file in place of the model's own.
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
