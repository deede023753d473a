// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaMetadata
import FoveaTraining

/// Where the trained model goes, what it says about itself, and what is printed.
struct TrainingOutputOptions: ParsableArguments, Sendable {
  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the model.", valueName: "dir"))
  var output: String

  @Flag(help: "Replace a model that is there.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "The report (default: report.html in the folder of the model).", valueName: "file", visibility: .hidden)
  )
  var report: String?

  @Flag(help: ArgumentHelp("Write no report.", visibility: .hidden))
  var noReport = false

  @Flag(help: ArgumentHelp("Leave the photos out of the report.", visibility: .hidden))
  var noPhotos = false

  @Option(
    help: ArgumentHelp("The model's name (default: the folder's).", valueName: "text", visibility: .hidden))
  var name: String?

  @Option(help: ArgumentHelp("The model's author.", valueName: "text", visibility: .hidden))
  var author: String?

  @Option(
    help: ArgumentHelp(
      "The model's licence, in front of the backbone's.", valueName: "text", visibility: .hidden))
  var licence: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Photos that are worked on at a time (default: cores).", valueName: "n", visibility: .hidden))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Where embeddings and boxes are kept from run to run, or none (default: the user's cache).",
      valueName: "dir|none", visibility: .hidden))
  var cache: String?

  @OptionGroup var pixels: PixelLimitOptions

  @Flag(help: "Print one line of JSON, with all figures.")
  var json = false

  @Flag(name: .shortAndLong, help: "No progress, notes or summary.")
  var quiet = false

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output needs the name of a folder.") }
    if report?.isEmpty == true { throw ValidationError("--report needs the name of a file.") }
    if cache?.isEmpty == true { throw ValidationError("--cache needs the name of a folder, or none.") }
    if noReport, report != nil { throw ValidationError("--report and --no-report contradict each other.") }
    try ModelOptions.checkCount(jobs, name: "jobs")
  }

  /// Where the list of suspects goes.
  var suspects: String { FilePath.joined(output, TrainingReport.suspectsName) }

  /// The report, where it does not go into the folder of the model under its usual name.
  var separateReport: String? {
    guard let report, FilePath(report) != FilePath(FilePath.joined(output, TrainingReport.name)) else {
      return nil
    }
    return report
  }

  /// Refuses a report that cannot be made, or would replace what is read or another file of the model.
  /// - Parameter inputs: The files that the command reads; nil for what was not given.
  /// - Throws: `output-overwrites`, `output-unwritable`.
  func checkReport(reading inputs: [String?]) throws(FoveaError) {
    guard let report = separateReport else { return }
    try OutputGuard.check(report, against: inputs.compactMap(\.self), option: "--report")
    for name in AutoMLBundleWriter.names.sorted() where name != TrainingReport.name {
      try OutputGuard.check(distinct: [
        ("--output", FilePath.joined(output, name)), ("--report", report),
      ])
    }
    try OutputGuard.check(place: report)
  }

  /// What is kept for the next run; nil where nothing is.
  func kept(_ results: String) -> String? { cacheFolder == nil ? nil : results }

  private var cacheFolder: String? { cache == "none" ? nil : cache ?? EmbeddingFolder.user }

  /// Writes what was asked into the options of a trainer.
  func apply(to options: inout LabelTrainer.Options, photos: String) {
    options.name = name ?? FilePath(photos).lastComponent
    options.author = author
    options.licence = licence
    options.jobs = jobs
    options.cacheFolder = cacheFolder
    options.imageLimits = pixels.limits
  }
}

/// Where embeddings are kept from run to run.
enum EmbeddingFolder {
  /// `fovea/embeddings` in `XDG_CACHE_HOME`, else in `~/.cache`; nil where there is neither.
  ///
  /// **Source:** XDG Base Directory Specification 0.8.
  static var user: String? {
    if let cache = Environment.value("XDG_CACHE_HOME"), cache.hasPrefix("/") {
      return FilePath.joined(cache, "fovea/embeddings")
    }
    return Environment.value("HOME").map { FilePath.joined($0, ".cache/fovea/embeddings") }
  }
}
