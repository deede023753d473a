// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaGeometry
package import FoveaRuntime

/// `ImageLabeler` for threads.
package final class BlockingLabeler: BlockingAnalyzer {
  private let pool: BlockingPool<LabelingWorker>
  package let classNames: [String]
  package let assumptions: [Advice]
  package var sessions: Int { pool.count }

  /// Creates a labeler, like `ImageLabeler.init(model:options:)`.
  package init(model: ModelSource, options: ImageLabeler.Options) throws(FoveaError) {
    do {
      let plan = try ClassificationPlan(model, options)
      pool = try BlockingPool(count: options.sessions) { try LabelingWorker(plan, options) }
      classNames = plan.classNames
      let notes = try pool.withResource(cancelledBy: CancellationToken()) { $0.notes }
      assumptions = notes.map { Advice($0) } + plan.assumptions
    } catch {
      throw FoveaError(error)
    }
  }

  package func analyze(
    _ image: ImageInput, region: BoundingBox?, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings {
    .labels(try pool.withResource(cancelledBy: token) { try $0.label(image, region: region, token: token) })
  }

  package func close() { pool.close() }
}
