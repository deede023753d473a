// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
