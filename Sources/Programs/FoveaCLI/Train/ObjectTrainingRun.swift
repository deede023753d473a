// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTraining

/// One run of `fovea train objects`, from arguments to exit code.
struct ObjectTrainingRun {
  let set: ObjectSetOptions
  let head: HeadOptions
  let output: TrainingOutputOptions
  /// The file of the boxes.
  let instances: String

  /// The folder that the model and its report are named after, as image folders have names like 'val2017'.
  private var photos: String { output.output }

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func execute() async -> Int32 {
    let display = TrainingDisplay(isQuiet: output.quiet, unit: "crops")
    return await display.run(kept: output.kept("boxes and embeddings")) { display in
      let trained = try await trained(display)
      return TrainingDisplay.Outcome(text: text(of: trained), isWhole: trained.failed.isEmpty)
    }
  }

  /// Trains and writes the model.
  private func trained(_ display: TrainingDisplay) async throws(FoveaError) -> TrainedObjects {
    try TrainedLabels.checkPlace(output.output, replacing: output.force)
    for folder in [self.set.images, self.set.testImages].compactMap(\.self) {
      try OutputGuard.check(folder: output.output, outside: folder)
    }
    let (learned, test) = try set.sets(instances)
    try output.checkReport(
      reading: [instances, set.test, set.exclusion.exclude, set.detector, head.backbone]
        + (learned.images + (test?.images ?? [])).map(\.path))
    let excluded = try set.exclusion.lines(replacedBy: output.suspects)
    let trained = try await train(learned, test, display)
    display.end()
    for note in trained.notes { display.note(note.commandLine) }
    for failed in trained.failed { display.error(RecordSink.line(failed.name, failed.error)) }
    try TrainingRun.write(
      TrainingReport(
        trained: trained.classifier, objects: trained, output: output, photos: photos, excluded: excluded))
    return trained
  }

  /// Returns the text printed at the end.
  private func text(of trained: TrainedObjects) -> String {
    if output.json { return trained.jsonLine }
    guard !output.quiet else { return "" }
    let mostObjects = self.set.maxObjects
    let isDefault = mostObjects == ObjectTrainer.Options().maxObjects
    return TrainingRun.text(
      ObjectSummary(trained).lines, of: trained.classifier, output,
      use: CommandText.use(
        "detect",
        [
          ("model", set.detector?.shellPath), ("relabel", output.output.shellPath),
          ("threshold", trained.figures.bestThresholdText),
          (NamedOption.maxObjects.name, isDefault ? nil : "\(mostObjects)"),
        ]))
  }

  private func train(
    _ learned: ObjectSet, _ test: ObjectSet?, _ display: TrainingDisplay
  ) async throws(FoveaError) -> TrainedObjects {
    let trainer = ObjectTrainer(try options)
    return try await StopSignal(listensToProcess: true).cancelling { () throws(FoveaError) in
      try await trainer.train(learned, test: test) { display.show($0) }
    }
  }

  /// The trainer's options for these arguments.
  private var options: ObjectTrainer.Options {
    get throws(FoveaError) {
      var options = ObjectTrainer.Options()
      try head.apply(to: &options.classifier)
      output.apply(to: &options.classifier, photos: photos)
      try set.apply(to: &options)
      return options
    }
  }
}
