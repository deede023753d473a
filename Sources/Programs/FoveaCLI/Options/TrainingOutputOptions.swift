// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaMetadata
import FoveaTraining

/// The destination and description of the trained model, and what is printed.
struct TrainingOutputOptions: ParsableArguments, Sendable {
  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the model.", valueName: "dir"))
  var output: String

  @Flag(help: "Replace an existing model.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "Report file (default: report.html in the model's folder).", valueName: "file", visibility: .hidden)
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
      "The model's licence, added before the backbone's.", valueName: "text", visibility: .hidden))
  var licence: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Photos processed in parallel (default: one per core).", valueName: "n", visibility: .hidden))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Folder that keeps embeddings and boxes between runs, or none (default: the user's cache).",
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

  /// The path of the list of suspects.
  var suspects: String { FilePath.joined(output, TrainingReport.suspectsName) }

  /// The path of the report, unless it is the default path in the model's folder.
  var separateReport: String? {
    guard let report, FilePath(report) != FilePath(FilePath.joined(output, TrainingReport.name)) else {
      return nil
    }
    return report
  }

  /// Refuses a report that cannot be created, or would replace an input or another file of the model.
  /// - Parameter inputs: The files that the command reads; nil for an option that was not given.
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

  /// Returns its argument if results are kept for the next run, else nil.
  func kept(_ results: String) -> String? { cacheFolder == nil ? nil : results }

  private var cacheFolder: String? { cache == "none" ? nil : cache ?? EmbeddingFolder.user }

  /// Applies these options to those of a trainer.
  func apply(to options: inout LabelTrainer.Options, photos: String) {
    options.name = name ?? FilePath(photos).lastComponent
    options.author = author
    options.licence = licence
    options.jobs = jobs
    options.cacheFolder = cacheFolder
    options.imageLimits = pixels.limits
  }
}

/// The folder that keeps embeddings between runs.
enum EmbeddingFolder {
  /// `fovea/embeddings` in `XDG_CACHE_HOME`, else in `~/.cache`; nil if there is neither.
  ///
  /// **Source:** XDG Base Directory Specification 0.8.
  static var user: String? {
    if let cache = Environment.value("XDG_CACHE_HOME"), cache.hasPrefix("/") {
      return FilePath.joined(cache, "fovea/embeddings")
    }
    return Environment.value("HOME").map { FilePath.joined($0, ".cache/fovea/embeddings") }
  }
}
