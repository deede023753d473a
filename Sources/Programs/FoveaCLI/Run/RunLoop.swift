// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats

/// The final stage of a run loop.
protocol RunSink<Outcome>: AnyObject {
  associatedtype Outcome: Sendable
  /// The number of images that an earlier run has done.
  var skipped: Int { get set }
  func accept(_ outcome: Outcome) throws(OutputFile.Failure)
  func reportProgress()
  func finish() throws(OutputFile.Failure)
}

/// Processes images in parallel and passes their outcomes on one by one.
struct RunLoop<Analyzer: Sendable, Outcome: Sendable> {
  /// The number of images processed in parallel.
  let jobs: Int
  let isOrdered: Bool
  let stop: StopSignal
  /// Makes the analyzer for the first image.
  let makeAnalyzer: () async throws(FoveaError) -> Analyzer
  /// The processing of each image.
  let process: @Sendable (InputImage, Analyzer) async -> Outcome
  /// The outcome of an argument or a folder without images.
  let failure: (ImageName, FoveaError) -> Outcome
  /// Whether an image is already done.
  let isDone: (InputImage) -> Bool

  private struct Finished: Sendable {
    let sequence: Int
    let outcome: Outcome
  }

  func run(
    _ inputs: inout some IteratorProtocol<InputItem>, into sink: some RunSink<Outcome>
  ) async -> RunEnd {
    var items = inputs
    defer { inputs = items }
    return await withTaskGroup(of: Finished.self) { group in
      // Large enough that a slow image does not leave the other jobs idle, small enough to fit in memory.
      var window = ReorderWindow<Outcome>(capacity: 64 + 8 * jobs, isOrdered: isOrdered)
      var analyzer: Analyzer?
      var sequence = 0
      var running = 0
      var isExhausted = false
      do throws(OutputFile.Failure) {
        while true {
          while running < jobs, !isExhausted, !stop.isRequested, window.accepts(sequence) {
            guard let item = items.next() else {
              isExhausted = true
              break
            }
            switch item {
            case .failure(let name, let error):
              window.insert(failure(name, error), at: sequence)
            case .image(let image) where isDone(image):
              sink.skipped += 1
              sink.reportProgress()
              continue
            case .image(let image):
              let ready: Analyzer
              do throws(FoveaError) {
                if let analyzer { ready = analyzer } else { ready = try await makeAnalyzer() }
              } catch {
                return .fatal(error)
              }
              analyzer = ready
              running += 1
              let number = sequence
              group.addTask { [process] in
                Finished(sequence: number, outcome: await process(image, ready))
              }
            }
            sequence += 1
            for outcome in window.takeReady() { try sink.accept(outcome) }
          }
          guard running > 0, let finished = await group.next() else { break }
          running -= 1
          window.insert(finished.outcome, at: finished.sequence)
          for outcome in window.takeReady() { try sink.accept(outcome) }
        }
        try sink.finish()
      } catch {
        stop.request()
        group.cancelAll()
        return RunEnd(error)
      }
      return stop.isRequested ? .interrupted : .finished
    }
  }
}

extension RunLoop where Analyzer == any ImageAnalyzer, Outcome == FinishedImage {
  /// Creates a loop that makes a record of each image.
  init(
    jobs: Int, isOrdered: Bool, stop: StopSignal,
    makeAnalyzer: @escaping () async throws(FoveaError) -> any ImageAnalyzer, work: PhotoPipeline,
    isDone: @escaping (InputImage) -> Bool
  ) {
    self.init(
      jobs: jobs, isOrdered: isOrdered, stop: stop, makeAnalyzer: makeAnalyzer,
      process: { await work.record(of: $0, by: $1, stop: stop) },
      failure: {
        FinishedImage(record: DetectionRecord(name: $0, result: .failure($1)), isUnlisted: true)
      }, isDone: isDone)
  }
}

/// The outcome of a run.
enum RunEnd {
  case finished, interrupted, closedPipe
  /// The run cannot continue: the model, the source or the output failed.
  case fatal(FoveaError)

  var isFatal: Bool { if case .fatal = self { true } else { false } }

  init(_ failure: OutputFile.Failure) {
    self =
      switch failure {
      case .closedPipe: .closedPipe
      case .failed(let error): .fatal(error)
      }
  }
}
