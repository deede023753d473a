// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaGeometry
import FoveaImage
package import FoveaMetadata
import FoveaRuntime

/// Turns images into embeddings: the numbers that a classifier has found just before it names what it sees.
///
/// Images that look alike to the model have embeddings that are close. They serve to search by likeness, to find near
/// duplicates, and to learn classes of one's own from few photos (`LabelTrainer` in `FoveaTraining`).
///
///     let embedder = try await ImageEmbedder()
///     let (cat, dog) = (try await embedder.embedding(of: .file("cat.jpg")), try await embedder.embedding(of: .file("dog.jpg")))
///     print(ImageEmbedder.distance(cat, dog))
///
/// Make one and use it for many images, from any number of tasks, as `ObjectDetector`.
public final class ImageEmbedder: Sendable {
  private let pool: WorkerPool<EmbeddingWorker>
  private let plan: EmbeddingPlan

  /// How many numbers an embedding has: 1,280 with MobileNetV2.
  public var dimension: Int { plan.graph.count }

  /// The model's graph, cut at the embedding, to which a head may be appended.
  package var graph: EmbeddingGraph { plan.graph }
  /// The name of the embedding's tensor in the model.
  package var tensorName: String { plan.graph.tensorName }
  /// What pixels become before the model sees them; nil where it takes them as they are.
  package var normalization: Normalization? { plan.input.normalization }
  /// Whether the model, as it is stored, takes images as int8.
  package var takesInt8: Bool {
    plan.backbone.asStored(plan.backbone.signature).inputs.first?.elementType == .int8
  }
  /// The licence that the model states.
  package var licence: String? { plan.backbone.metadata?.license }
  /// The version that the model states.
  package var version: String? { plan.backbone.metadata?.version }

  /// Assumptions made because neither the options nor the model decide it, such as the normalisation of float inputs.
  ///
  /// A sentence for each, without the final stop; empty where none was made.
  public let assumptions: [Advice]

  /// Makes an embedder.
  /// - Parameters:
  ///   - model: A classifier: a `.tflite` file, an AutoML folder, or its `manifest.json`. The default is the embedded coarse
  ///     classifier.
  ///   - options: How images are read, and where the graph is cut.
  /// - Throws: `no-embedding` for a model that does not end in a dense layer, such as a detector; `model-unreadable`,
  ///   `model-invalid`, `model-unsupported`, `option-invalid`, `runtime-missing`.
  public init(
    model: ModelSource = .embedded(.classifier), options: Options = Options()
  ) async throws(FoveaError) {
    do {
      try OptionChecks.sessions(options.sessions, threads: options.threads)
      let plan = try EmbeddingPlan(LoadedModel(model, exact: options.exactArithmetic), options)
      self.plan = plan
      pool = try await WorkerPool(count: options.sessions) { try EmbeddingWorker(plan, options) }
      let notes = try await pool.callCancellable { worker, _ in worker.notes }
      assumptions = notes.map { Advice($0) } + plan.input.assumptions(modelName: plan.backbone.name)
    } catch {
      throw FoveaError(error)
    }
  }

  /// The embedding of an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil takes all of it.
  /// - Returns: `dimension` numbers; their range is the model's.
  /// - Throws: `image-…` for an image that cannot be read, `option-invalid` for a region outside it, `run-failed`,
  ///   `invalid-output` for numbers that are not finite, `cancelled`.
  public func embedding(
    of image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> [Float] {
    try await analyze(image, region: region).values
  }

  /// The embedding of an image, and a few of its pixels.
  /// - Throws: As `embedding(of:region:)`.
  package func analyze(
    _ image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> ImageEmbedding {
    try await pool.callCancellable { worker, token in
      try worker.embed(image, region: region, token: token)
    }
  }

  /// The embeddings of several parts of an image, which is opened once.
  /// - Parameters:
  ///   - image: The image.
  ///   - regions: The parts, in pixels of the unrotated image.
  /// - Returns: An embedding for each region, in their order.
  /// - Throws: As `embedding(of:region:)`.
  package func analyze(
    _ image: ImageInput, regions: [BoundingBox]
  ) async throws(FoveaError) -> [ImageEmbedding] {
    try await pool.callCancellable { worker, token in
      try worker.embed(image, regions: regions, token: token)
    }
  }

  /// How far two embeddings are from each other: 1 less the cosine of the angle between them.
  /// - Parameters:
  ///   - first: An embedding.
  ///   - second: Another of the same embedder.
  /// - Returns: 0 for the same direction, 1 for a right angle, 2 for opposite ones; 1 where one of them is all 0.
  public static func distance(_ first: [Float], _ second: [Float]) -> Double {
    precondition(
      first.count == second.count,
      "embeddings of \(first.count) and \(second.count) numbers are not comparable"
    )
    var (product, firstSquares, secondSquares) = (0.0, 0.0, 0.0)
    for (a, b) in zip(first, second) {
      product += Double(a) * Double(b)
      firstSquares += Double(a) * Double(a)
      secondSquares += Double(b) * Double(b)
    }
    let length = (firstSquares * secondSquares).squareRoot()
    return length > 0 ? 1 - max(-1, min(1, product / length)) : 1
  }
}

/// What an image looks like to a model and to the eye.
package struct ImageEmbedding: Sendable, Equatable {
  /// The numbers that the model has found.
  package var values: [Float]
  /// The upright image, shrunk to 9 × 8 grey pixels, row by row.
  package var grey: [UInt8]
}
