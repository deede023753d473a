// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore
import FoveaFormats

/// Where results go and what is reported with them.
struct OutputOptions: ParsableArguments, Sendable {
  @Option(help: "How to print results; text by default.")
  var format: OutputFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to a file, whose ending can be the format.", valueName: "file|dir"))
  var output: String?

  @Option(help: ArgumentHelp("One page with images, boxes and figures.", valueName: "html"))
  var report: String?

  @Flag(help: "Continue where --output ended (not \(OutputFormat.wholeNames)).")
  var resume = false

  @Flag(help: ArgumentHelp("Print results as they finish.", visibility: .hidden))
  var unordered = false

  @Flag(name: .shortAndLong, help: "No progress, notes or summary.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print the time of every stage.")
  var verbose = false

  @Flag(help: ArgumentHelp("For --format yolo: end lines with the score.", visibility: .hidden))
  var yoloScores = false

  /// Endings that promise something else than text.
  private static let otherEndings: Set<String> = [
    "html", "htm", "xml", "yaml", "yml", "xls", "xlsx", "parquet", "pdf", "mp4",
  ]

  /// The format that was asked for, else that of the output file's ending, else text.
  var chosenFormat: OutputFormat { format ?? output.flatMap(OutputFormat.init(endingOf:)) ?? .text }

  func validate() throws {
    let format = chosenFormat
    if format.isFolder && output == nil {
      throw ValidationError(
        "--format \(format.name) writes a file for each photo: name their folder with --output.")
    }
    if yoloScores && format != .yolo { throw ValidationError("--yolo-scores is for --format yolo.") }
    if report?.isEmpty == true { throw ValidationError("--report needs the name of a file.") }
    if let report, report == output { throw ValidationError("--report and --output name the same file.") }
    if resume {
      guard output != nil else { throw ValidationError("--resume needs --output, the file to continue.") }
      guard format.isResumable else {
        throw ValidationError(
          "--resume needs --format \(OutputFormat.resumableNames); \(format.name) has to be whole.")
      }
    }
    try OutputEnding.refuseCompressed(output)
    if self.format == nil, let output, let ending = FilePath(output).ending,
      Self.otherEndings.contains(ending)
    {
      throw ValidationError(
        "--output writes \(OutputFormat.endingNames), not .\(ending); or say what it is with --format.")
    }
    if output?.isEmpty == true { throw ValidationError("--output needs the name of a file.") }
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
  }
}

/// The endings of names that results can be written to.
enum OutputEnding {
  /// Refuses a name that promises a compressed file: what is written would be none.
  static func refuseCompressed(_ output: String?) throws {
    guard let output, let ending = FilePath(output).ending, compressed.contains(ending) else { return }
    throw ValidationError(
      "--output writes no compressed files, as .\(ending); write '\(ResultFile.stem(output).printable)', and compress it "
        + "when it is whole.")
  }

  private static let compressed: Set<String> = [
    "gz", "gzip", "tgz", "bz2", "xz", "zst", "lz4", "br", "zip", "7z",
  ]
}
