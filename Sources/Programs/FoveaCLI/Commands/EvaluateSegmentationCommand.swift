// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// `fovea evaluate segmentation`: compares class maps with the ground truth.
struct EvaluateSegmentationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segmentation",
    abstract: "Compute mean IoU and pixel accuracy.",
    usage: """
      fovea evaluate segmentation --ground-truth <dir> --maps <dir> …
      fovea evaluate segmentation --ground-truth <dir> --images <dir> …
      """,
    discussion: """
      Example: fovea evaluate segmentation --ground-truth masks/ --maps maps/
      Compares PNGs of class numbers, or a model's maps of photos, with PNGs of the
      same names. --help-hidden lists all options.
      """)

  @Option(help: ArgumentHelp("PNGs of class numbers; 255 does not count.", valueName: "dir"))
  var groundTruth: String

  @OptionGroup var source: EvaluatedMapOptions
  @OptionGroup var output: MapFiguresOptions

  func validate() throws {
    if groundTruth.isEmpty { throw ValidationError("--ground-truth needs the name of a folder.") }
    if [groundTruth, source.maps, source.images].contains("-") {
      throw ValidationError("evaluate reads files, not standard input.")
    }
  }

  func run() async throws {
    let code = await MapEvaluationRun(groundTruth: groundTruth, source: source, output: output).execute()
    if code != 0 { throw ExitCode(code) }
  }
}

/// The output of the figures of maps.
struct MapFiguresOptions: ParsableArguments, Sendable {
  @Flag(inversion: .prefixedNo, help: "Print a line for each class.")
  var perClass = true

  @Flag(help: "Print one line of JSON, with all figures.")
  var json = false

  @Flag(name: .shortAndLong, help: "No progress or notes.")
  var quiet = false
}
