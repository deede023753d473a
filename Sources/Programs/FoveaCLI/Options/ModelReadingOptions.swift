// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// The meaning of a model's input and output, if the model does not declare it.
struct ModelReadingOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Label file: lines, pbtxt, CSV, JSON or YAML.", valueName: "file", visibility: .hidden))
  var labels: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std", visibility: .hidden),
    transform: ChoiceArgument.normalization)
  var normalize: Normalization?

  @Option(
    help: ArgumentHelp(
      "Activation for raw scores: none, sigmoid or softmax (default: the model's).", valueName: "name",
      visibility: .hidden), transform: ChoiceArgument.value)
  var activation: ScoreActivation?

  func validate() throws {
    if labels?.isEmpty == true { throw ValidationError("--labels needs the name of a file.") }
  }

  /// The name of the first given option; nil if there is none.
  var firstGiven: String? {
    labels != nil ? "labels" : normalize != nil ? "normalize" : activation != nil ? "activation" : nil
  }

  /// Applies these options to those of a detector.
  func apply(to options: inout ObjectDetector.Options) {
    options.labelFile = labels
    options.normalization = normalize
    options.scoreActivation = activation
  }
}

/// The model that a command reads, with its labels.
struct ModelFileOptions: ParsableArguments, Sendable {
  @Argument(help: ArgumentHelp("A .tflite file, AutoML folder or name.", valueName: "file|dir"))
  var path: String

  @Option(help: ArgumentHelp("Label file: lines, pbtxt, CSV, JSON or YAML.", valueName: "file"))
  var labels: String?
}
