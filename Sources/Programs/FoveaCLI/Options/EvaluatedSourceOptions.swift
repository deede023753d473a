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

  @OptionGroup var reading: ModelReadingOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Photos that are worked on at a time (default: cores).", valueName: "n", visibility: .hidden))
  var jobs: Int?

  @OptionGroup var pixels: PixelLimitOptions

  func validate() throws {
    if model?.isEmpty == true { throw ValidationError("--model needs the name of a file.") }
    if predictions?.isEmpty == true { throw ValidationError("--predictions needs the name of a file.") }
    try ModelOptions.checkScore(threshold)
    try ModelOptions.checkCount(jobs, name: "jobs")
    guard (model == nil) != (predictions == nil) else {
      throw ValidationError("Give either --model or --predictions: what is to be evaluated.")
    }
    if predictions != nil, let given = reading.firstGiven {
      throw ValidationError("--\(given) belongs to --model.")
    }
  }

  /// The library's options for what was asked.
  var labelerOptions: ImageLabeler.Options {
    var shared = ObjectDetector.Options()
    reading.apply(to: &shared)
    var options = ImageLabeler.Options(shared)
    options.sessions = jobs ?? Cores.available
    options.threads = 1
    options.imageLimits = pixels.limits
    return options
  }
}
