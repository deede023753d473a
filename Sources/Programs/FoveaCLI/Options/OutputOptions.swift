// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore
import FoveaFormats

/// The destination of a run's results, and what is reported with them, for any command.
struct PhotoOutput: Sendable {
  var output: String?
  var report: String?
  var resume: Bool
  var unordered: Bool
  var quiet: Bool
  var verbose: Bool
}

/// The destination of results, and what is reported with them; the commands have different formats.
struct OutputOptions<Formats: FormatList>: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to a file; its extension can select the format.", valueName: "file|dir"))
  var output: String?

  @Option(help: ArgumentHelp("Write an HTML page with images, boxes and figures.", valueName: "html"))
  var report: String?

  @Flag(help: "Continue where --output ended (not \(Formats.wholeNames)).")
  var resume = false

  @Flag(help: ArgumentHelp("Print results as they finish.", visibility: .hidden))
  var unordered = false

  @Flag(name: .shortAndLong, help: "No progress, notes or summary.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print the time of every stage.")
  var verbose = false

  /// The values of the options.
  var values: PhotoOutput {
    PhotoOutput(
      output: output, report: report, resume: resume, unordered: unordered, quiet: quiet, verbose: verbose)
  }

  /// Endings of formats other than text.
  private static var otherEndings: Set<String> {
    ["html", "htm", "xml", "yaml", "yml", "xls", "xlsx", "parquet", "pdf", "mp4"]
  }

  /// Returns the requested format, else the format of the output file's extension, else text.
  func chosen(_ format: OutputFormat?) -> OutputFormat {
    format ?? output.flatMap(OutputFormat.init(endingOf:)) ?? .text
  }

  /// The format whose name is the output's extension but that only `--format` chooses; nil if there is none.
  var formatNamedByEnding: OutputFormat? {
    guard let output, let ending = FilePath(output).ending, let named = OutputFormat(name: ending),
      named != .text, named.endings.isEmpty
    else { return nil }
    return named
  }

  func validate() throws {
    if report?.isEmpty == true { throw ValidationError("--report needs the name of a file.") }
    if let report, report == output { throw ValidationError("--report and --output name the same file.") }
    if resume && output == nil {
      throw ValidationError("--resume needs --output, the file to continue.")
    }
    try OutputEnding.refuseCompressed(output)
    if output?.isEmpty == true { throw ValidationError("--output needs the name of a file.") }
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
  }

  /// Checks the options that depend on the format.
  /// - Parameter requested: The value of `--format`.
  /// - Throws: `ValidationError`.
  func check(requested: OutputFormat?) throws {
    let format = chosen(requested)
    if format.isFolder && output == nil {
      throw ValidationError(
        "--format \(format.name) writes a file for each photo: name their folder with --output.")
    }
    if resume && !format.isResumable {
      throw ValidationError(
        "--resume needs --format \(Formats.resumableNames); \(format.name) cannot be continued.")
    }
    guard requested == nil, let output, let ending = FilePath(output).ending else { return }
    if Self.otherEndings.contains(ending) {
      throw ValidationError(
        "--output writes \(OutputFormat.endingNames), not .\(ending); or choose a format with --format.")
    }
    if let named = formatNamedByEnding {
      throw ValidationError(
        "The extension .\(named.name) does not select a format: "
          + "add --format \(named.name), or end the name with \(OutputFormat.endingNames).")
    }
  }
}

/// Checks of the extensions of output files.
enum OutputEnding {
  /// Refuses the name of a compressed file, because the output is never compressed.
  static func refuseCompressed(_ output: String?) throws {
    guard let output, let ending = FilePath(output).ending, compressed.contains(ending) else { return }
    throw ValidationError(
      "--output does not write compressed files such as .\(ending); "
        + "write '\(ResultFile.stem(output).printable)' and compress it afterwards.")
  }

  private static let compressed: Set<String> = [
    "gz", "gzip", "tgz", "bz2", "xz", "zst", "lz4", "br", "zip", "7z",
  ]
}
