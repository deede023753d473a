// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// `fovea evaluate labels`: measures a classifier on labelled photos.
struct EvaluateLabelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "labels",
    abstract: "Compute accuracy, F1 and confusions.",
    usage: """
      fovea evaluate labels <folder|csv> --model <model> [options]
      fovea evaluate labels <folder|csv> --predictions <json> [options]
      """,
    discussion: """
      Example: fovea evaluate labels test/ --model flowers-model
      Prints scikit-learn's figures for photos in a folder per class or in a CSV file
      with one line 'path,label' per photo. --help-hidden lists all options.
      """)

  @Argument(
    help: ArgumentHelp("A folder with a folder for each class, or a CSV file.", valueName: "folder|csv"))
  var photos: String

  @OptionGroup var source: EvaluatedSourceOptions
  @OptionGroup var set: EvaluatedSetOptions
  @OptionGroup var output: EvaluationOutputOptions

  func validate() throws {
    if photos.isEmpty { throw ValidationError("Name a folder with a folder of photos for each class.") }
    if photos == "-" || source.predictions == "-" {
      throw ValidationError("evaluate reads files, not standard input; use /dev/stdin.")
    }
  }

  func run() async throws {
    let code = await EvaluationRun(photos: photos, source: source, set: set, output: output).execute()
    if code != 0 { throw ExitCode(code) }
  }
}

/// The output of a classifier's figures.
struct EvaluationOutputOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Write an HTML page with the figures and the most confident mistakes.", valueName: "html"))
  var report: String?

  @Flag(help: ArgumentHelp("Leave the photos out of the report.", visibility: .hidden))
  var noPhotos = false

  @Flag(inversion: .prefixedNo, help: "Print a line for each class.")
  var perClass = true

  @Flag(help: "Print one line of JSON, with all figures.")
  var json = false

  @Flag(name: .shortAndLong, help: "No progress or notes.")
  var quiet = false

  func validate() throws {
    if report?.isEmpty == true { throw ValidationError("--report needs the name of a file.") }
    if noPhotos, report == nil { throw ValidationError("--no-photos needs --report.") }
  }
}
