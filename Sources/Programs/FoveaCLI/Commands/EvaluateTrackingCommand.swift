// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaFormats

/// `fovea evaluate tracking`: computes HOTA, MOTA, IDF1 and more for a folder of tracks.
struct EvaluateTrackingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracking",
    abstract: "Compute HOTA, MOTA and IDF1.",
    usage: "fovea evaluate tracking --ground-truth <dir> --results <dir> …",
    discussion: """
      Example: fovea evaluate tracking --ground-truth MOT17/train --results out/
      Prints TrackEval's figures for MOT or KITTI files, per sequence and combined.
      """)

  @Option(help: ArgumentHelp("SEQ/gt/gt.txt with seqinfo.ini, SEQ.txt, or one file.", valueName: "dir"))
  var groundTruth: String

  @Option(help: ArgumentHelp("SEQ.txt of each sequence, or one file.", valueName: "dir"))
  var results: String

  @Option(
    help: ArgumentHelp(
      "MOT15, MOT16, MOT17, MOT20, plain or kitti (default: by names and columns).", valueName: "name"))
  var benchmark: String?

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("KITTI class: car or pedestrian (default: car).", valueName: "name"))
  var kittiClass: String?

  @Option(help: ArgumentHelp("Evaluate only these sequences.", valueName: "name,…"))
  var sequences: String?

  @Flag(help: "Print one line of JSON, with all figures.")
  var json = false

  @Flag(name: .shortAndLong, help: "Do not print notes.")
  var quiet = false

  func validate() throws {
    if let benchmark, benchmark.lowercased() != "kitti", TrackingBenchmark(name: benchmark) == nil {
      throw ValidationError(
        "--benchmark needs MOT15, MOT16, MOT17, MOT20, plain or kitti; got '\(benchmark)'.")
    }
    if let kittiClass {
      guard benchmark?.lowercased() == "kitti" else {
        throw ValidationError("--class needs --benchmark kitti.")
      }
      guard ["car", "pedestrian"].contains(kittiClass.lowercased()) else {
        throw ValidationError("--class needs car or pedestrian; got '\(kittiClass)'.")
      }
    }
    if let sequences, names(in: sequences).isEmpty {
      throw ValidationError("--sequences needs names, separated by commas; got '\(sequences)'.")
    }
    if groundTruth == "-" || results == "-" {
      throw ValidationError("evaluate reads files, not standard input; use /dev/stdin.")
    }
  }

  func run() async throws {
    ProcessSignals.ignorePipes()
    let outcome = try CommandFailure.exit { () throws(FoveaError) in try evaluate() }
    let console = Console(descriptor: STDERR_FILENO, isQuiet: quiet, now: { .zero })
    for note in outcome.notes { console.note(note) }
    for failure in outcome.failures { console.error(RecordSink.line(failure.sequence, failure.error)) }
    try CommandFailure.print(text(of: outcome))
    if !outcome.failures.isEmpty { throw ExitCode(ExitCodes.failure) }
  }

  /// Returns the figures, the notes to print with them, and the failures.
  func evaluate() throws(FoveaError) -> TrackingRun {
    let sources = try TrackingSources(
      groundTruth: groundTruth, results: results, only: sequences.map(names(in:)))
    return try TrackingRun(sources, benchmark: rules)
  }

  /// Returns the printed report; empty if every sequence failed.
  func text(of run: TrackingRun) -> String {
    if json { return TrackingJSON.line(of: run, words: \.commandLine) + "\n" }
    if run.report.sequences.isEmpty { return "" }
    return TrackingTable.text(of: run.report, isWhole: run.failures.isEmpty)
  }

  private func names(in list: String) -> [String] { list.split(separator: ",").map(String.init) }

  private var rules: TrackingBenchmark? {
    guard let benchmark else { return nil }
    if benchmark.lowercased() == "kitti" { return .kitti(KITTIClass(type: kittiClass ?? "car") ?? .car) }
    return TrackingBenchmark(name: benchmark)
  }
}
