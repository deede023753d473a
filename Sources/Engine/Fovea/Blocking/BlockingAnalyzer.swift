// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaGeometry
package import FoveaRuntime

/// The findings in one image.
package enum BlockingFindings: Sendable {
  case objects(DetectionResult)
  case labels(LabelingResult)
  case map(SegmentationResult)
  case features(ImageEmbedding)
}

/// A detector, labeler, segmenter or embedder whose calls run on the caller's thread, without tasks or
/// queues.
///
/// For languages that have neither, and for processes that fork. Any number of threads may call it.
package final class BlockingAnalyzer: Sendable {
  /// The number of calls that can run at the same time.
  package let sessions: Int
  /// The class names by index; empty if unknown.
  package let classNames: [String]
  /// The assumptions made about facts that neither the options nor the model states.
  package let assumptions: [Advice]
  /// The number of classes of a map, 0 if unknown, or of values of an embedding; 0 for other findings.
  package let valueCount: Int
  /// The lowest score of an object: the option's, else the model's own; nil for other findings.
  package let threshold: Float?

  private let call: @Sendable (Call, inout StreamMemory) throws(FoveaError) -> BlockingFindings
  private let end: @Sendable () -> Void

  private struct Call {
    let image: ImageInput
    let region: BoundingBox?
    let selection: ObjectDetector.Selection?
    let token: CancellationToken
  }

  private init<Worker: ImageWorker>(
    _ type: Worker.Type, sessions: Int, _ plan: Worker.Plan, valueCount: Int = 0, threshold: Float? = nil,
    _ findings: @escaping @Sendable (Worker, Call, inout StreamMemory) throws -> BlockingFindings
  ) throws {
    let pool = try BlockingPool(count: sessions) { try Worker(plan) }
    (classNames, assumptions) = try pool.withResource(cancelledBy: CancellationToken()) {
      ($0.classNames, $0.assumptions)
    }
    (self.sessions, self.valueCount, self.threshold) = (sessions, valueCount, threshold)
    call = { (call, memory) throws(FoveaError) in
      try pool.withResource(cancelledBy: call.token) { try findings($0, call, &memory) }
    }
    end = { pool.close() }
  }

  /// Processes an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the stored image; nil for the whole image.
  ///   - threshold: The lowest score of an object; nil for the detector's own.
  ///   - token: Cancels the call from another thread.
  /// - Returns: The findings.
  /// - Throws: The errors of `ObjectDetector.detect(in:region:)`; `closed`.
  package func analyze(
    _ image: ImageInput, region: BoundingBox? = nil, threshold: Float? = nil,
    cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings {
    var selection: ObjectDetector.Selection?
    if let threshold {
      selection = ObjectDetector.Selection()
      selection?.threshold = threshold
    }
    var memory = StreamMemory()
    return try call(Call(image: image, region: region, selection: selection, token: token), &memory)
  }

  /// Processes the next frame of a stream.
  /// - Parameters:
  ///   - image: The frame.
  ///   - region: The part to process, in pixels of the stored image; nil for the whole image.
  ///   - memory: The memory after the frame before, at the time of this one; only detectors change it.
  ///   - token: Cancels the call from another thread.
  /// - Returns: The findings.
  /// - Throws: The errors of `ObjectDetector.detect(in:region:)`; `closed`. The memory is then unchanged.
  package func analyze(
    _ image: ImageInput, region: BoundingBox?, memory: inout StreamMemory,
    cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings {
    try call(Call(image: image, region: region, selection: nil, token: token), &memory)
  }

  /// Waits for running calls; waiting and later calls throw `closed`.
  package func close() { end() }
}

extension BlockingAnalyzer {
  /// Creates a detector, like `ObjectDetector.init(model:options:)`.
  package convenience init(
    detector model: ModelSource?, _ options: ObjectDetector.Options
  ) throws(FoveaError) {
    do {
      let plan = try DetectionPlan(model: model, options: options)
      try self.init(
        DetectionWorker.self, sessions: options.sessions, plan, threshold: plan.rules.threshold
      ) { worker, call, memory in
        let found = try worker.detect(
          in: call.image, region: call.region, selecting: call.selection, memory: memory,
          token: call.token)
        memory = found.memory
        return .objects(found.result)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Creates a labeler, like `ImageLabeler.init(model:options:)`.
  package convenience init(labeler model: ModelSource, _ options: ImageLabeler.Options) throws(FoveaError) {
    do {
      let plan = try LabelingPlan(model, options)
      try self.init(LabelingWorker.self, sessions: options.sessions, plan) { worker, call, _ in
        .labels(try worker.analyze(call.image, region: call.region, token: call.token))
      }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Creates a segmenter, like `ImageSegmenter.init(model:options:)`.
  package convenience init(
    segmenter model: ModelSource, _ options: ImageSegmenter.Options
  ) throws(FoveaError) {
    do {
      let plan = try SegmentationPlan(model, options)
      let count = plan.head.classCount ?? plan.labels.count
      try self.init(
        SegmentationWorker.self, sessions: options.sessions, plan, valueCount: count
      ) { worker, call, _ in .map(try worker.analyze(call.image, region: call.region, token: call.token)) }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Creates an embedder, like `ImageEmbedder.init(model:options:)`.
  package convenience init(embedder model: ModelSource, _ options: ImageEmbedder.Options) throws(FoveaError) {
    do {
      let plan = try EmbeddingPlan(model, options)
      try self.init(
        EmbeddingWorker.self, sessions: options.sessions, plan, valueCount: plan.graph.count
      ) { worker, call, _ in .features(try worker.analyze(call.image, region: call.region, token: call.token))
      }
    } catch {
      throw FoveaError(error)
    }
  }
}
