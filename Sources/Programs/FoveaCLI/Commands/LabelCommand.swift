// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaFormats
import FoveaImage

/// `fovea label`: labels whole photos.
struct LabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "Label whole photos.",
    usage: "fovea label <path>… [options]",
    discussion: """
      Example: fovea label bird.jpg --model bird.tflite
      --help-hidden lists all options.
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var model: ModelOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("Maximum number of labels.", valueName: "n"))
  var maxResults = 10

  @Option(
    help: ArgumentHelp(
      "Activation for raw scores: none, sigmoid or softmax (default: the model's).", valueName: "name",
      visibility: .hidden), transform: ChoiceArgument.value)
  var activation: ScoreActivation?

  @Option(help: "Output format; text by default.")
  var format: LabelFormat?

  @OptionGroup var output: OutputOptions<LabelFormat>

  /// The requested format, else the format of the output file's ending, else text.
  var chosenFormat: OutputFormat { output.chosen(format?.format) }

  func validate() throws {
    var selection = ImageLabeler.Selection()
    selection.maxResults = maxResults
    try ModelOptions.check(selection.check)
    let named = format?.format ?? output.formatNamedByEnding
    if let named, named.isForBoxes {
      throw ValidationError("The format \(named.name) is for boxes: use fovea detect.")
    }
    try output.check(requested: format?.format)
  }

  func run() async throws {
    let source = try CommandFailure.exit(ExitCodes.unfinished) { () throws(FoveaError) in
      try ModelLookup.source(model.model)
    }
    let run = PhotoRun(
      input, model: model.model, output.values, chosenFormat, kind: .labels,
      resources: [source?.path, model.labels])
    let options = labelerOptions
    let code = await run.execute { () async throws(FoveaError) -> any ImageAnalyzer in
      LabelerAnalyzer(
        labeler: try await ImageLabeler(model: source ?? .embedded(.classifier), options: options),
        region: input.roi?.box)
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// The library's options for these arguments.
  var labelerOptions: ImageLabeler.Options {
    var shared = ObjectDetector.Options()
    model.apply(to: &shared)
    input.apply(to: &shared)
    var options = ImageLabeler.Options(shared)
    options.maxResults = maxResults
    options.scoreActivation = activation
    return options
  }
}
