// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// `fovea model compare`: compares two models of one task on the same photos.
struct ModelCompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two models on your photos.",
    usage: "fovea model compare <first> <second> --photos <dir> [options]",
    discussion: """
      Example: fovea model compare old.tflite new.tflite --photos street/
      Prints how far the second model agrees with the first, the processor time per
      run of both, and their sizes; with ground truth, also the AP or the accuracy of
      both. Exits with 1 below --at-least, or if a photo cannot be read.
      """)

  @Argument(help: ArgumentHelp("A .tflite file, AutoML folder or name.", valueName: "first"))
  var first: String

  @Argument(help: ArgumentHelp("The model to judge, of the same task.", valueName: "second"))
  var second: String

  @OptionGroup var photos: PhotoListOptions
  @OptionGroup var limits: ComparisonLimits
  @OptionGroup var source: ComparedModelOptions
  @OptionGroup var output: ComparisonOutputOptions

  func validate() throws {
    if first.isEmpty || second.isEmpty { throw ValidationError("Name two models.") }
    try photos.checkGiven()
  }

  func run() async throws {
    let run = ModelComparisonRun(
      models: (first, second), photos: photos, source: source, limits: limits, output: output)
    let code = await run.execute()
    if code != 0 { throw ExitCode(code) }
  }
}

/// The ground truth of compared models, and what the second one must reach.
struct ComparisonLimits: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "COCO instances for detectors; class folders or a CSV for classifiers.", valueName: "path"))
  var groundTruth: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Least agreement, 0 to 1.", valueName: "x"))
  var atLeast = 0.0

  @Option(
    name: .customLong("at-least-ap"), parsing: .unconditional,
    help: ArgumentHelp("Least AP or accuracy, divided by the first model's.", valueName: "x"))
  var atLeastAP: Double?

  func validate() throws {
    if groundTruth?.isEmpty == true { throw ValidationError("--ground-truth needs the name of a file.") }
    guard (0...1).contains(atLeast) else {
      throw ValidationError("--at-least must be between 0 and 1, got \(atLeast).")
    }
    guard let atLeastAP else { return }
    guard atLeastAP >= 0, atLeastAP.isFinite else {
      throw ValidationError("--at-least-ap must be 0 or more, got \(atLeastAP).")
    }
    if groundTruth == nil { throw ValidationError("--at-least-ap needs --ground-truth.") }
  }
}

/// The reading and running of compared models; facts that they do not declare apply to both.
struct ComparedModelOptions: ParsableArguments, Sendable {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Minimum score of boxes (default: the first model's).", valueName: "s"))
  var threshold: Float?

  @Option(parsing: .unconditional, help: ArgumentHelp("Threads per photo.", valueName: "n"))
  var threads: Int?

  @OptionGroup var hints: ModelHintOptions

  func validate() throws { try ModelOptions.check(options.check) }

  /// The library's options for these arguments.
  var options: ObjectDetector.Options {
    var options = ObjectDetector.Options()
    hints.apply(to: &options)
    options.threshold = threshold
    options.threads = threads
    return options
  }
}

/// The output of a comparison.
struct ComparisonOutputOptions: ParsableArguments, Sendable {
  @Flag(help: "Print one line of JSON, schema compare/1.")
  var json = false

  @Flag(name: .shortAndLong, help: "No progress or notes.")
  var quiet = false

  @Flag(help: ArgumentHelp("Give advice that 'host publish' can print.", visibility: .private))
  var published = false
}
