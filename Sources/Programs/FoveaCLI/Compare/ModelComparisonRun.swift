// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaTraining

/// One run of `fovea model compare`, from arguments to exit code.
struct ModelComparisonRun: Sendable {
  /// The files of both models.
  let models: (first: String, second: String)
  let photos: PhotoListOptions
  let source: ComparedModelOptions
  let limits: ComparisonLimits
  let output: ComparisonOutputOptions
  var stop = StopSignal(listensToProcess: true)
  var timer = TurnTimer()

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func execute() async -> Int32 {
    await TrainingDisplay(isQuiet: output.quiet).run(kept: nil) { display in
      let (images, missing) = try photos.listed(stop)
      for failed in missing { display.error(line(failed.error, of: failed.name)) }
      let listed = missing.map { ComparedModels.Failed(name: $0.name, error: $0.error) }
      guard !images.isEmpty else {
        if let end = UnreadablePhotos(listed, of: missing.count).summary { display.error(line(end)) }
        throw ExitCode(ExitCodes.failure)
      }
      let run = self
      let compared: ComparedModels
      do throws(ComparisonEnd) {
        compared = try await stop.cancelling { () async throws(ComparisonEnd) in
          try await run.compared(images, display)
        }
      } catch {
        try stop.check()
        display.error(line(error.error))
        throw ExitCode(error.code)
      }
      // A photo whose reading was interrupted counts as one that cannot be read.
      try stop.check()
      display.end()
      for failed in compared.failed { display.error(line(failed.error, of: failed.name)) }
      for note in compared.notes { display.note(note) }
      let unread = UnreadablePhotos(listed + compared.failed, of: missing.count + images.count)
      let refusal = compared.refusal(of: models.second, atLeast: limits.atLeast, limits.atLeastAP, unread)
      if let end = refusal ?? unread.summary { display.error(line(end)) }
      return TrainingDisplay.Outcome(
        text: text(of: compared), isWhole: missing.isEmpty && compared.failed.isEmpty && refusal == nil)
    }
  }

  /// Returns the line of an error, with a name in front if there is one.
  func line(_ error: FoveaError, of name: String? = nil) -> String {
    let error = output.published ? error.forPublish : error
    return name.map { RecordSink.line($0, error) } ?? RecordSink.line(error)
  }

  /// Returns the figures of both models on the photos.
  func compared(
    _ images: [InputImage], _ display: TrainingDisplay
  ) async throws(ComparisonEnd) -> ComparedModels {
    let first = try await model(models.first)
    let second = try await model(models.second)
    var said: Set<String> = []
    for note in (first.assumptions + second.assumptions).map(\.commandLine) where said.insert(note).inserted {
      display.note(note)
    }
    do throws(FoveaError) {
      var comparison = try ModelComparison(
        first, second,
        truth: try limits.groundTruth.map { path throws(FoveaError) in
          try ComparisonTruth(path: path, for: first.task)
        })
      comparison.timer = timer
      let total = images.count
      display.show(TrainingProgress(.embedding, done: 0, total: total))
      return try await comparison.run(images.map { photos.photo($0, stop) }) { done in
        display.show(TrainingProgress(.embedding, done: done, total: total))
      }
    } catch {
      throw ComparisonEnd(error)
    }
  }

  /// Returns the printed figures; empty if no photo could be read.
  func text(of compared: ComparedModels) -> String {
    if output.json { return compared.jsonLine(first: models.first, second: models.second) }
    return compared.photoCount == 0 ? "" : compared.text
  }

  /// Loads a model.
  private func model(_ argument: String) async throws(ComparisonEnd) -> ComparedModel {
    do throws(FoveaError) {
      var options = source.options
      options.imageLimits = photos.pixels.limits
      return try await ComparedModel(try ModelLookup.source(argument), options: options)
    } catch {
      throw ComparisonEnd(error, code: ExitCodes.unfinished)
    }
  }
}

/// The error that ends a comparison, with its exit code.
struct ComparisonEnd: Error {
  let error: FoveaError
  let code: Int32

  init(_ error: FoveaError, code: Int32 = ExitCodes.failure) {
    self.error = error
    self.code = code
  }
}
