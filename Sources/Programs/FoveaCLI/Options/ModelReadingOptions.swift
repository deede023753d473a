// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// What the input and the output of any model mean, where the model does not say it.
struct ModelReadingOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "A file of labels: lines, pbtxt, CSV, JSON or YAML.", valueName: "file", visibility: .hidden))
  var labels: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std", visibility: .hidden),
    transform: ChoiceArgument.normalization)
  var normalize: Normalization?

  @Option(
    help: ArgumentHelp(
      "What raw scores need: none, sigmoid or softmax (default: the model's).", valueName: "name",
      visibility: .hidden), transform: ChoiceArgument.value)
  var activation: ScoreActivation?

  func validate() throws {
    if labels?.isEmpty == true { throw ValidationError("--labels needs the name of a file.") }
  }

  /// The name of the first option that is given; nil where none is.
  var firstGiven: String? {
    labels != nil ? "labels" : normalize != nil ? "normalize" : activation != nil ? "activation" : nil
  }

  /// Writes what was asked into the options of a detector.
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

  @Option(help: ArgumentHelp("A file of labels: lines, pbtxt, CSV, JSON or YAML.", valueName: "file"))
  var labels: String?
}
