// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaMetadata

/// One run of `fovea evaluate segmentation`, from arguments to exit code.
struct MapEvaluationRun {
  /// The folder of the ground truth.
  let groundTruth: String
  let source: EvaluatedMapOptions
  let output: MapFiguresOptions
  var stop = StopSignal(listensToProcess: true)

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func execute() async -> Int32 {
    await TrainingDisplay(isQuiet: output.quiet, unit: "images").run(kept: nil) { display in
      let evaluated = try await evaluated(display) { () async throws(FoveaError) in try await maps() }
      display.end()
      for note in evaluated.notes { display.note(note) }
      for failed in evaluated.failed { display.error(RecordSink.line(failed.name, failed.error)) }
      return TrainingDisplay.Outcome(text: text(of: evaluated), isWhole: evaluated.failed.isEmpty)
    }
  }

  /// Returns the figures of the maps in a folder, or of those that the model makes.
  /// - Throws: The errors of folders and models; `cancelled`.
  func evaluated(
    _ display: TrainingDisplay, makeSource: () async throws(FoveaError) -> MapSource
  ) async throws(FoveaError) -> EvaluatedMaps {
    let pairs = try source.pairs(of: groundTruth)
    for note in pairs.notes { display.note(note) }
    let maps = try await makeSource()
    for sentence in maps.assumptions { display.note(sentence.commandLine) }
    let comparison = MapComparison(pairs: pairs, limits: source.pixels.limits, stop: stop)
    let sink = MapSink(display, total: pairs.truths.count)
    let loop = RunLoop<MapSource, MapOutcome>(
      jobs: source.effectiveJobs, isOrdered: true, stop: stop,
      makeAnalyzer: { () async throws(FoveaError) in maps },
      process: { await comparison.outcome(of: $0, from: $1) },
      failure: { MapOutcome(name: $0, result: .failure($1)) }, isDone: { _ in false })
    var inputs = pairs.truths.map { InputItem.image($0) }.makeIterator()
    switch await loop.run(&inputs, into: sink) {
    case .finished: break
    case .interrupted, .closedPipe: throw FoveaError(CancellationError())
    case .fatal(let error): throw error
    }
    return EvaluatedMaps(sink.tally, imageCount: sink.images, failed: sink.failed, labels: maps.labels)
  }

  /// Returns the printed figures; empty if no image could be compared.
  func text(of evaluated: EvaluatedMaps) -> String {
    if output.json { return evaluated.jsonLine }
    return evaluated.imageCount == 0 ? "" : evaluated.table(perClass: output.perClass)
  }

  /// Returns the source of the maps that the options name.
  private func maps() async throws(FoveaError) -> MapSource {
    if let model = try ModelLookup.source(source.model) {
      return .segmenter(
        try await ImageSegmenter(model: model, options: source.segmenterOptions),
        isUpright: source.upright ?? true)
    }
    guard let path = source.reading.labels else { return .files(labels: []) }
    do throws(MetadataError) {
      let labels = try LabelMap(contentsOf: path)
      return .files(labels: labels.displayNames ?? labels.names)
    } catch {
      throw FoveaError(error)
    }
  }
}
