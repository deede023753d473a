// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaEvaluation

/// Evaluates the sequences one at a time; a failed one does not stop the others.
package struct TrackingRun {
  /// A sequence without figures because it failed.
  package struct Failure {
    package var sequence: String
    package var error: FoveaError
  }

  package private(set) var report: TrackingReport
  package private(set) var failures: [Failure] = []
  package private(set) var notes: [String]

  /// Evaluates all sequences by the rules of `benchmark`; nil derives them from the ground truth.
  /// - Throws: `option-invalid` if the rules cannot be derived.
  package init(_ sources: TrackingSources, benchmark: TrackingBenchmark?) throws(FoveaError) {
    notes = sources.notes
    var truths: [(source: TrackingSources.Sequence, frames: TrackFrames)] = []
    for source in sources.sequences {
      do throws(EvaluationError) {
        truths.append((source, try TrackingRun.groundTruth(source.groundTruth, benchmark)))
      } catch {
        failures.append(Failure(sequence: source.name, error: FoveaError(error)))
      }
    }
    let rules: TrackingBenchmark
    if let benchmark {
      rules = benchmark
    } else {
      rules = try BenchmarkGuess.common(truths.map { ($0.source.name, $0.frames) })
    }
    report = TrackingReport(benchmark: rules)
    let evaluator = TrackingEvaluator(benchmark: rules)
    for (source, truth) in truths {
      do throws(FoveaError) {
        let metrics = try evaluate(source, truth, evaluator)
        report.append(metrics, of: source.name)
      } catch {
        failures.append(Failure(sequence: source.name, error: error))
      }
    }
    if !failures.isEmpty && !report.sequences.isEmpty {
      notes.append(
        "\(failures.count) of \(sources.sequences.count) sequences failed, so there are no combined figures"
      )
    }
  }

  private mutating func evaluate(
    _ source: TrackingSources.Sequence, _ truth: TrackFrames, _ evaluator: TrackingEvaluator
  ) throws(FoveaError) -> TrackingMetrics {
    guard TrackingSources.isFile(source.results) else {
      throw FoveaError(
        FoveaCode(EvaluationCode.sequenceMismatch),
        "there are no results of this sequence: '\(source.results)' is missing",
        remedy: "Write the file, or leave out the sequence with \(term: .sequences)")
    }
    do throws(EvaluationError) {
      let info = try source.info.map { path throws(EvaluationError) in try MOTSequenceInfo(path: path) }
      let results = try TrackingRun.results(source.results, evaluator.benchmark)
      let metrics = try evaluator.evaluate(
        results, groundTruth: truth, lastFrame: TrackingRun.lastFrame(info, evaluator.benchmark))
      note(source.name, truth, results, metrics)
      return metrics
    } catch {
      throw FoveaError(error)
    }
  }

  private mutating func note(
    _ name: String, _ truth: TrackFrames, _ results: TrackFrames, _ metrics: TrackingMetrics
  ) {
    if metrics.groundTruthBoxes == 0 {
      notes.append("\(name): the ground truth has no boxes that count, so there is nothing to find")
    }
    if results.count == 0 { notes.append("\(name): the results have no boxes, so nothing was found") }
    for frames in [truth, results] where frames.count > 0 {
      notes += frames.warnings.map { "\(name): \($0)" }
    }
    noteClasses(name, results)
    guard let lastTruth = truth.frames.last, let last = results.frames.last else { return }
    if results.frames[0] > lastTruth || last < truth.frames[0] {
      notes.append(
        "\(name): the results have frames \(results.frames[0]) to \(last), the ground truth "
          + "\(truth.frames[0]) to \(lastTruth): they have no frame in common")
    }
  }

  /// MOT's later benchmarks cover only pedestrians; TrackEval stops at boxes of other classes.
  private mutating func noteClasses(_ name: String, _ results: TrackFrames) {
    guard [.mot16, .mot17, .mot20].contains(report.benchmark) else { return }
    let others = results.annotations.count { $0.classID > 1 }
    guard others > 0 else { return }
    let boxes =
      others == 1 ? "1 box of the results has" : "\(DecimalText.grouped(others)) boxes of the results have"
    notes.append(
      "\(name): \(boxes) a class other than 1 in the eighth column; "
        + (others == 1 ? "it counts as a pedestrian" : "they count as pedestrians"))
  }

  // MARK: Files

  private static func groundTruth(
    _ path: String, _ benchmark: TrackingBenchmark?
  ) throws(EvaluationError) -> TrackFrames {
    if case .kitti = benchmark { return try KITTIReader().read(path: path) }
    return try TrackFile.read(path: path, .groundTruth, minimumColumns: benchmark?.groundTruthColumns ?? 6)
  }

  private static func results(
    _ path: String, _ benchmark: TrackingBenchmark
  ) throws(EvaluationError) -> TrackFrames {
    if case .kitti = benchmark { return try KITTIReader().read(path: path) }
    return try TrackFile.read(path: path, .results)
  }

  private static func lastFrame(_ info: MOTSequenceInfo?, _ benchmark: TrackingBenchmark) -> Int? {
    // KITTI counts frames from 0.
    if case .kitti = benchmark { return info?.frameCount.map { $0 - 1 } }
    return info?.frameCount
  }
}
