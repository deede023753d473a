// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaGeometry
package import FoveaRuntime

/// `ImageEmbedder` for threads.
package final class BlockingEmbedder: BlockingAnalyzer {
  private let pool: BlockingPool<EmbeddingWorker>
  /// The number of values of an embedding.
  package let dimension: Int
  package let assumptions: [Advice]
  package var classNames: [String] { [] }
  package var sessions: Int { pool.count }

  /// Creates an embedder, like `ImageEmbedder.init(model:options:)`.
  package init(model: ModelSource, options: ImageEmbedder.Options) throws(FoveaError) {
    do {
      let plan = try EmbeddingPlan(LoadedModel(model, exact: options.exactArithmetic), options)
      pool = try BlockingPool(count: options.sessions) { try EmbeddingWorker(plan, options) }
      dimension = plan.graph.count
      let notes = try pool.withResource(cancelledBy: CancellationToken()) { $0.notes }
      assumptions = notes.map { Advice($0) } + plan.input.assumptions(modelName: plan.backbone.name)
    } catch {
      throw FoveaError(error)
    }
  }

  package func analyze(
    _ image: ImageInput, region: BoundingBox?, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings {
    .features(try pool.withResource(cancelledBy: token) { try $0.embed(image, region: region, token: token) })
  }

  package func close() { pool.close() }
}
