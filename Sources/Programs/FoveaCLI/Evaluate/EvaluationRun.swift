// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaRender
import FoveaTraining

/// One run of `fovea evaluate labels`, from arguments to exit code.
struct EvaluationRun {
  /// The folder or file of the photos.
  let photos: String
  let source: EvaluatedSourceOptions
  let set: EvaluatedSetOptions
  let output: EvaluationOutputOptions

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func execute() async -> Int32 {
    await TrainingDisplay(isQuiet: output.quiet).run(kept: nil) { display in
      let evaluated = try await evaluated(display)
      display.end()
      for note in evaluated.notes { display.note(note.commandLine) }
      for failed in evaluated.failed { display.error(RecordSink.line(failed.name, failed.error)) }
      try write(evaluated)
      return TrainingDisplay.Outcome(text: text(of: evaluated), isWhole: evaluated.failed.isEmpty)
    }
  }

  /// Returns the figures of the model, or of the file of predictions.
  func evaluated(_ display: TrainingDisplay) async throws(FoveaError) -> EvaluatedLabels {
    var evaluation = try set.evaluation(of: photos)
    evaluation.threshold = source.threshold
    if let report = output.report {
      let named = [photos, source.model, source.predictions, set.map, source.reading.labels].compactMap(
        \.self)
      try OutputGuard.check(report, against: named + evaluation.photos.map(\.path), option: "--report")
      try OutputGuard.check(place: report)
    }
    if let predictions = source.predictions { return try evaluation.evaluate(predictions: predictions) }
    let model = try ModelLookup.source(source.model) ?? .embedded(.classifier)
    let (chosen, options, count) = (evaluation, source.labelerOptions, evaluation.photos.count)
    return try await StopSignal(listensToProcess: true).cancelling { () throws(FoveaError) in
      try await chosen.evaluate(model, options) { done, _ in
        display.show(TrainingProgress(.embedding, done: done, total: count))
      }
    }
  }

  /// Returns the printed figures; empty if no photo could be opened.
  func text(of evaluated: EvaluatedLabels) -> String {
    if output.json { return evaluated.jsonLine }
    return evaluated.metrics.photoCount == 0 ? "" : evaluated.table(perClass: output.perClass)
  }

  /// Writes the report, if one is requested.
  /// - Throws: `report-unwritable`.
  func write(_ evaluated: EvaluatedLabels) throws(FoveaError) {
    guard let path = output.report else { return }
    var thumbnails = ReportThumbnails(isEmpty: output.noPhotos)
    let page = evaluated.page(
      title: FilePath(photos).lastComponent, settings: settings, command: CommandText.current
    ) { thumbnails.next($0) }
    do throws(SystemError) { try ReplacedFile.write(page, to: path) } catch {
      throw FoveaError(
        RenderError.reportUnwritable(path, error.isInUse ? "another process is writing it" : error.message))
    }
  }

  private var settings: [(name: String, value: String)] {
    let all = [
      ("Photos", photos), ("Model", source.model), ("Predictions", source.predictions), ("Names", set.map),
    ]
    return all.compactMap { name, value in value.map { (name: name, value: $0) } }
  }
}
