// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaModelRules

/// `fovea model add-metadata`: writes labels, normalisation and threshold into a model.
struct ModelAddMetadataCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-metadata",
    abstract: "Write labels and other metadata into a model.",
    usage: "fovea model add-metadata <file|dir> --output <file> [options]",
    discussion: """
      Example: fovea model add-metadata m.tflite --labels l.txt --output new.tflite
      For classifiers and detectors, as ML Kit and MediaPipe read them. Existing
      metadata is kept unless replaced. --output may be the model itself.
      """)

  @OptionGroup var model: ModelFileOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std"),
    transform: ChoiceArgument.normalization)
  var normalize: Normalization?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Leave out results below this score, 0 to 1.", valueName: "s")
  )
  var threshold: Float?

  @Option(help: ArgumentHelp("Display names in a language, such as en=names.txt.", valueName: "name=file"))
  var localeLabels: [LocaleLabelsArgument] = []

  @Option(name: .shortAndLong, help: ArgumentHelp("The new model file.", valueName: "file"))
  var output: String

  @Flag(help: ArgumentHelp("Give advice that 'host publish' can print.", visibility: .private))
  var published = false

  func validate() throws {
    try ModelOptions.checkScore(threshold)
    if model.labels?.isEmpty == true { throw ValidationError("--labels needs the name of a file.") }
    if output.isEmpty { throw ValidationError("--output needs the name of a file.") }
    var seen: Set<String> = []
    for item in localeLabels where !seen.insert(item.locale).inserted {
      throw ValidationError("--locale-labels names '\(item.locale)' twice.")
    }
  }

  func run() async throws {
    ProcessSignals.ignorePipes()
    let summary: String?
    do throws(FoveaError) { summary = try written() } catch {
      throw CommandFailure.report(published ? error.forPublish : error)
    }
    if let summary { try CommandFailure.print(summary) }
  }

  /// Writes the file, and returns the text to print.
  private func written() throws(FoveaError) -> String? {
    try OutputGuard.check(output, against: [model.labels].compactMap(\.self) + localeLabels.map(\.path))
    let bytes = try addition.described(.file(ModelLookup.path(model.path)))
    try ModelFileOutput.write(bytes, to: output)
    // A device, a pipe or a stream cannot be read back, and no text may follow the model there.
    guard ModelFileOutput.isFile(output) else { return nil }
    return try DescribedModel(output).text(\.commandLine)
  }

  private var addition: MetadataAddition {
    var addition = MetadataAddition()
    addition.labelFile = model.labels
    addition.normalization = normalize
    addition.threshold = threshold
    for item in localeLabels { addition.localeLabelFiles[item.locale] = item.path }
    return addition
  }
}

/// `en=FILE`: a locale and its label file.
struct LocaleLabelsArgument: ExpressibleByArgument, Sendable, Equatable {
  let locale: String
  let path: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "=") else { return nil }
    locale = String(argument[..<sign])
    path = String(argument[argument.index(after: sign)...])
    guard !locale.isEmpty, !path.isEmpty else { return nil }
  }
}
