// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaGeometry
package import FoveaRuntime

/// `ImageSegmenter` for threads.
package final class BlockingSegmenter: BlockingAnalyzer {
  private let pool: BlockingPool<SegmentationWorker>
  /// The number of classes of a map; 0 if unknown.
  package let classCount: Int
  package let classNames: [String]
  package let assumptions: [Advice]
  package var sessions: Int { pool.count }

  /// Creates a segmenter, like `ImageSegmenter.init(model:options:)`.
  package init(model: ModelSource, options: ImageSegmenter.Options) throws(FoveaError) {
    do {
      let plan = try SegmentationPlan(model, options)
      pool = try BlockingPool(count: options.sessions) { try SegmentationWorker(plan, options) }
      classCount = plan.head.classCount ?? plan.labels.count
      classNames = plan.labels
      let notes = try pool.withResource(cancelledBy: CancellationToken()) { $0.notes }
      assumptions = notes.map { Advice($0) } + plan.assumptions
    } catch {
      throw FoveaError(error)
    }
  }

  package func analyze(
    _ image: ImageInput, region: BoundingBox?, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings {
    .map(try pool.withResource(cancelledBy: token) { try $0.segment(image, region: region, token: token) })
  }

  package func close() { pool.close() }
}
