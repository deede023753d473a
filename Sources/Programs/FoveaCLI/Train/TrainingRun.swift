// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTraining

/// One run of `fovea train`, from arguments to exit code.
struct TrainingRun {
  let set: TrainingSetOptions
  let head: HeadOptions
  let output: TrainingOutputOptions
  /// The folder or file of the photos.
  let photos: String

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func execute() async -> Int32 {
    await TrainingDisplay(isQuiet: output.quiet).run(kept: output.kept("embeddings")) { display in
      let trained = try await trained(display)
      return TrainingDisplay.Outcome(text: text(of: trained), isWhole: trained.failed.isEmpty)
    }
  }

  /// Trains and writes the model.
  private func trained(_ display: TrainingDisplay) async throws(FoveaError) -> TrainedLabels {
    try TrainedLabels.checkPlace(output.output, replacing: output.force)
    try OutputGuard.check(folder: output.output, outside: photos)
    let (learned, test) = try set.trainingSet(photos)
    // A photo of a list or behind a link may have any name.
    try output.checkReport(
      reading: [photos, set.test, set.exclusion.exclude, head.backbone]
        + (learned.photos + (test?.photos ?? [])).map(\.path))
    for note in learned.notes { display.note(note) }
    let excluded = try set.exclusion.lines(replacedBy: output.suspects)
    let trained = try await train(learned, test, display)
    display.end()
    for note in trained.notes { display.note(note.commandLine) }
    for failed in trained.failed { display.error(RecordSink.line(failed.name, failed.error)) }
    try TrainingRun.write(
      TrainingReport(trained: trained, output: output, photos: photos, excluded: excluded))
    return trained
  }

  /// Returns the text printed at the end.
  private func text(of trained: TrainedLabels) -> String {
    if output.json { return trained.jsonLine }
    guard !output.quiet else { return "" }
    return TrainingRun.text(
      TrainingSummary(trained).lines, of: trained, output,
      use: CommandText.use("label", [("model", output.output.shellPath)]))
  }

  /// Returns a summary with the written files and the command that uses them.
  static func text(
    _ summary: [String], of trained: TrainedLabels, _ output: TrainingOutputOptions, use: String
  ) -> String {
    let report = output.noReport ? "" : ", \(output.separateReport?.printable ?? TrainingReport.name)"
    let size = DecimalText.bytes(trained.model.count)
    let lines =
      summary + [
        "\(output.output.printable): model.tflite (\(size)), dict.txt, manifest.json" + report,
        "use it: \(use)",
      ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Writes the model's folder, and the report if it goes elsewhere.
  static func write(_ report: TrainingReport) throws(FoveaError) {
    let output = report.output
    try report.trained.write(to: output.output, replacing: output.force, files: report.files)
    if let path = output.separateReport, let page = report.page { try ModelFileOutput.write(page, to: path) }
  }

  private func train(
    _ learned: TrainingSet, _ test: TrainingSet?, _ display: TrainingDisplay
  ) async throws(FoveaError) -> TrainedLabels {
    let trainer = LabelTrainer(try options)
    return try await StopSignal(listensToProcess: true).cancelling { () throws(FoveaError) in
      try await trainer.train(learned, test: test) { display.show($0) }
    }
  }

  /// The trainer's options for these arguments.
  private var options: LabelTrainer.Options {
    get throws(FoveaError) {
      var options = LabelTrainer.Options()
      try head.apply(to: &options)
      output.apply(to: &options, photos: photos)
      options.isStrict = set.strict
      return options
    }
  }
}
