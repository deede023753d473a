// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// `fovea evaluate labels`: how well a classifier answers labelled photos.
struct EvaluateLabelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "labels",
    abstract: "Accuracy, F1, confusion: fovea evaluate labels test/ --model flowers-model",
    usage: """
      fovea evaluate labels <folder|csv> --model <model> [options]
      fovea evaluate labels <folder|csv> --predictions <json> [options]
      """,
    discussion: """
      The figures of scikit-learn, of photos in a folder for each class, or in a CSV
      file with a line path,label for each photo. --help-hidden lists the rare
      options as well.
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
      throw ValidationError("evaluate reads files, not standard input; /dev/stdin is one.")
    }
  }

  func run() async throws {
    let code = await EvaluationRun(photos: photos, source: source, set: set, output: output).execute()
    if code != 0 { throw ExitCode(code) }
  }
}

/// How the figures of a classifier are shown.
struct EvaluationOutputOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("Write a page with the figures and the surest mistakes.", valueName: "html"))
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
    if noPhotos, report == nil { throw ValidationError("--no-photos belongs to --report.") }
  }
}
