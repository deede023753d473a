// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// The source of the evaluated answers: a model to run, or the predictions of any program.
struct EvaluatedSourceOptions: ParsableArguments, Sendable {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A classifier: a .tflite file, folder or name.", valueName: "file"))
  var model: String?

  @Option(help: ArgumentHelp("Predictions as written by fovea label --format jsonl.", valueName: "json"))
  var predictions: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Minimum confidence (default: the model's; 0 for --predictions).", valueName: "s"))
  var threshold: Float?

  @OptionGroup var reading: ModelReadingOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Photos processed in parallel (default: one per core).", valueName: "n", visibility: .hidden))
  var jobs: Int?

  @OptionGroup var pixels: PixelLimitOptions

  func validate() throws {
    if model?.isEmpty == true { throw ValidationError("--model needs the name of a file.") }
    if predictions?.isEmpty == true { throw ValidationError("--predictions needs the name of a file.") }
    try ModelOptions.checkScore(threshold)
    try ModelOptions.checkCount(jobs, name: "jobs")
    guard (model == nil) != (predictions == nil) else {
      throw ValidationError("Give either --model or --predictions.")
    }
    if predictions != nil, let given = reading.firstGiven {
      throw ValidationError("--\(given) needs --model.")
    }
  }

  /// The library's options for these arguments.
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
