// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The formats that results can be printed in.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json, jsonl, csv, coco

  /// Whether a run can go on in a file of this format.
  var isResumable: Bool { self == .jsonl || self == .csv }
}

/// Where results go and what is said beside them.
struct OutputOptions: ParsableArguments, Sendable {
  @Option(help: "How to print results.")
  var format = OutputFormat.text

  @Option(name: .shortAndLong, help: ArgumentHelp("Write results to a file.", valueName: "file"))
  var output: String?

  @Flag(help: "Go on where --output (jsonl, csv) ended; use equal options.")
  var resume = false

  @Flag(help: ArgumentHelp("Print results as they finish.", visibility: .hidden))
  var unordered = false

  @Flag(name: .shortAndLong, help: "No progress, no summary.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print the time of every stage.")
  var verbose = false

  func validate() throws {
    if resume {
      guard output != nil else { throw ValidationError("--resume needs --output, the file to go on with.") }
      guard format.isResumable else {
        throw ValidationError("--resume needs --format jsonl or csv; \(format.rawValue) has to be whole.")
      }
    }
    if output?.isEmpty == true { throw ValidationError("--output needs the name of a file.") }
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
  }
}
