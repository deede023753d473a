// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaFormats

/// The destination of maps, and what is reported with them.
struct MapOutputOptions: ParsableArguments, Sendable {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write a PNG of class numbers for each photo here.", valueName: "dir"))
  var output: String?

  @Option(help: ArgumentHelp("Write copies with painted classes here.", valueName: "dir|file"))
  var annotate: String?

  @Option(help: ArgumentHelp("Write an HTML page with images, maps and shares.", valueName: "html"))
  var report: String?

  @Flag(help: "Leave out photos with a PNG of this model in --output.")
  var resume = false

  @Flag(inversion: .prefixedNo, help: "Make maps of the EXIF-rotated photo (default with --output).")
  var upright: Bool?

  @Flag(help: ArgumentHelp("Print results as they finish.", visibility: .hidden))
  var unordered = false

  @Flag(name: .shortAndLong, help: "No progress, notes or summary.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print the time of every stage.")
  var verbose = false

  /// The values of the options.
  var values: PhotoOutput {
    PhotoOutput(
      output: nil, report: report, resume: resume, unordered: unordered, quiet: quiet, verbose: verbose)
  }

  func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output needs the name of a folder.") }
    if report?.isEmpty == true { throw ValidationError("--report needs the name of a file.") }
    if resume && output == nil { throw ValidationError("--resume needs --output, the folder to continue.") }
    try AnnotationPlan.check(annotate)
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
  }
}

/// The format of `fovea segment`; the help lists only those for maps.
struct MapFormat: ExpressibleByArgument, FormatList {
  let format: OutputFormat

  init?(argument: String) {
    guard let format = OutputFormat(name: argument) else { return nil }
    self.format = format
  }

  static var formats: [OutputFormat] { OutputFormat.all.filter(\.holdsMaps) }

  static var allValueStrings: [String] { formats.map(\.name) }
}
