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

  private let call:
    @Sendable (ImageInput, BoundingBox?, inout StreamMemory, CancellationToken) throws(FoveaError)
      -> BlockingFindings
  private let end: @Sendable () -> Void

  private init<Worker: ImageWorker>(
    _ type: Worker.Type, sessions: Int, _ plan: Worker.Plan, valueCount: Int = 0,
    _ findings: @escaping @Sendable (Worker.Findings) -> BlockingFindings
  ) throws {
    let pool = try BlockingPool(count: sessions) { try Worker(plan) }
    (classNames, assumptions) = try pool.withResource(cancelledBy: CancellationToken()) {
      ($0.classNames, $0.assumptions)
    }
    (self.sessions, self.valueCount) = (sessions, valueCount)
    call = { (image, region, memory, token) throws(FoveaError) in
      try pool.withResource(cancelledBy: token) {
        findings(try $0.analyze(image, region: region, memory: &memory, token: token))
      }
    }
    end = { pool.close() }
  }

  /// Processes an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the stored image; nil for the whole image.
  ///   - token: Cancels the call from another thread.
  /// - Returns: The findings.
  /// - Throws: The errors of `ObjectDetector.detect(in:region:)`; `closed`.
  package func analyze(
    _ image: ImageInput, region: BoundingBox?, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings {
    var memory = StreamMemory()
    return try call(image, region, &memory, token)
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
    try call(image, region, &memory, token)
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
      try self.init(DetectionWorker.self, sessions: options.sessions, plan) { .objects($0) }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Creates a labeler, like `ImageLabeler.init(model:options:)`.
  package convenience init(labeler model: ModelSource, _ options: ImageLabeler.Options) throws(FoveaError) {
    do {
      let plan = try LabelingPlan(model, options)
      try self.init(LabelingWorker.self, sessions: options.sessions, plan) { .labels($0) }
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
      ) { .map($0) }
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
      ) { .features($0) }
    } catch {
      throw FoveaError(error)
    }
  }
}
