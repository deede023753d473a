// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaGeometry
package import FoveaRuntime

/// `ObjectDetector` for threads.
package final class BlockingDetector: BlockingAnalyzer {
  private let pool: BlockingPool<DetectionWorker>
  package let classNames: [String]
  package let assumptions: [Advice]
  package var sessions: Int { pool.count }

  /// Creates a detector, like `ObjectDetector.init(model:options:)`.
  package init(model: ModelSource?, options: ObjectDetector.Options) throws(FoveaError) {
    do {
      let plan = try DetectionPlan(model: model, options: options)
      pool = try BlockingPool(count: options.sessions) { try DetectionWorker(plan) }
      (classNames, assumptions) = try pool.withResource(cancelledBy: CancellationToken()) {
        ($0.classNames, $0.assumptions)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  package func analyze(
    _ image: ImageInput, region: BoundingBox?, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings {
    .objects(
      try pool.withResource(cancelledBy: token) { worker in
        try worker.detect(in: image, region: region, memory: StreamMemory(), token: token).result
      })
  }

  package func close() { pool.close() }
}
