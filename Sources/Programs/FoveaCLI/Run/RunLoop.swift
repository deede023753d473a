// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats

/// Processes images in parallel and passes their records on one by one.
struct RunLoop {
  /// The number of images processed in parallel.
  let jobs: Int
  let isOrdered: Bool
  let stop: StopSignal
  /// Makes the analyzer for the first image.
  let makeAnalyzer: () async throws(FoveaError) -> any ImageAnalyzer
  /// The processing of each image.
  let work: PhotoPipeline
  /// Whether an image is already done.
  let isDone: (InputImage) -> Bool

  private struct Finished: Sendable {
    let sequence: Int
    let image: FinishedImage
  }

  func run(_ inputs: inout some IteratorProtocol<InputItem>, into sink: RecordSink) async -> RunEnd {
    var items = inputs
    defer { inputs = items }
    return await withTaskGroup(of: Finished.self) { group in
      // Large enough that a slow image does not leave the other jobs idle, small enough to fit in memory.
      var window = ReorderWindow<FinishedImage>(capacity: 64 + 8 * jobs, isOrdered: isOrdered)
      var analyzer: (any ImageAnalyzer)?
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
              window.insert(
                FinishedImage(record: DetectionRecord(name: name, result: .failure(error)), isUnlisted: true),
                at: sequence)
            case .image(let image) where isDone(image):
              sink.skipped += 1
              sink.reportProgress()
              continue
            case .image(let image):
              let ready: any ImageAnalyzer
              do throws(FoveaError) {
                if let analyzer { ready = analyzer } else { ready = try await makeAnalyzer() }
              } catch {
                return .fatal(error)
              }
              analyzer = ready
              running += 1
              let number = sequence
              group.addTask { [work, stop] in
                Finished(sequence: number, image: await work.record(of: image, by: ready, stop: stop))
              }
            }
            sequence += 1
            for image in window.takeReady() { try sink.accept(image) }
          }
          guard running > 0, let finished = await group.next() else { break }
          running -= 1
          window.insert(finished.image, at: finished.sequence)
          for image in window.takeReady() { try sink.accept(image) }
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
