// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// What is evaluated: a model that is run, or the answers of any program.
struct EvaluatedSourceOptions: ParsableArguments, Sendable {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A classifier: a .tflite file, folder or name.", valueName: "file"))
  var model: String?

  @Option(help: ArgumentHelp("Answers as fovea label --format jsonl writes them.", valueName: "json"))
  var predictions: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The least score of an answer (default: the model's; of --predictions 0).", valueName: "s"))
  var threshold: Float?

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
      "What raw scores need: none, sigmoid or softmax (default: the model's).", valueName: "name",
      visibility: .hidden), transform: ChoiceArgument.value)
  var activation: ActivationArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Photos that are worked on at a time (default: cores).", valueName: "n", visibility: .hidden))
  var jobs: Int?

  @OptionGroup var pixels: PixelLimitOptions

  func validate() throws {
    if model?.isEmpty == true { throw ValidationError("--model needs the name of a file.") }
    if predictions?.isEmpty == true { throw ValidationError("--predictions needs the name of a file.") }
    if labels?.isEmpty == true { throw ValidationError("--labels needs the name of a file.") }
    try ModelOptions.checkScore(threshold, name: "threshold")
    try ModelOptions.checkCount(jobs, name: "jobs")
    guard (model == nil) != (predictions == nil) else {
      throw ValidationError("Give either --model or --predictions: what is to be evaluated.")
    }
    let modelOptions = [
      ("labels", labels != nil), ("normalize", normalize != nil), ("activation", activation != nil),
    ]
    if predictions != nil, let given = modelOptions.first(where: \.1) {
      throw ValidationError("--\(given.0) belongs to --model.")
    }
  }

  /// The library's options for what was asked.
  var labelerOptions: ImageLabeler.Options {
    var options = ImageLabeler.Options()
    options.labelFile = labels
    options.normalization = normalize?.normalization
    options.scoreActivation = activation?.activation
    options.sessions = jobs ?? Cores.available
    options.threads = 1
    options.imageLimits = pixels.limits
    return options
  }
}
