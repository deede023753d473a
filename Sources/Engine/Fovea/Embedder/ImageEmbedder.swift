// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaGeometry
import FoveaImage
package import FoveaMetadata
import FoveaRuntime

/// Turns images into embeddings: the numbers from which a classifier computes its classes, or the output of a
/// model that ends in features.
///
/// Images that look alike to the model have embeddings that are close. Use them to search by similarity, to
/// find near duplicates, and to learn your own classes from few photos (`LabelTrainer` in `FoveaTraining`).
///
///     let embedder = try await ImageEmbedder()
///     let cat = try await embedder.embedding(of: .file("cat.jpg"))
///     let dog = try await embedder.embedding(of: .file("dog.jpg"))
///     print(ImageEmbedder.distance(cat, dog))
///
/// Create one and use it for many images, from any number of tasks, like `ObjectDetector`.
public final class ImageEmbedder: Sendable {
  private let pool: WorkerPool<EmbeddingWorker>
  private let plan: EmbeddingPlan

  /// The number of values of an embedding: 1,280 with MobileNetV2.
  public var dimension: Int { plan.graph.count }

  /// The model's graph, cut at the embedding, to which a head can be appended.
  package var graph: EmbeddingGraph { plan.graph }
  /// The name of the embedding's tensor in the model.
  package var tensorName: String { plan.graph.tensorName }
  /// The normalisation of pixels before inference; nil if the model uses raw pixels.
  package var normalization: Normalization? { plan.input.normalization }
  /// Whether the stored model's image input is int8.
  package var takesInt8: Bool {
    plan.backbone.asStored(plan.backbone.signature).inputs.first?.elementType == .int8
  }
  /// The licence in the model's metadata.
  package var licence: String? { plan.backbone.metadata?.license }
  /// The version in the model's metadata.
  package var version: String? { plan.backbone.metadata?.version }

  /// The assumptions made about facts that neither the options nor the model states, such as the
  /// normalisation of float inputs.
  ///
  /// A sentence for each, without the full stop; empty if there are none.
  public let assumptions: [Advice]

  /// Creates an embedder.
  /// - Parameters:
  ///   - model: A classifier, or a model with one output of features, `[1, D]` or `[1, 1, 1, D]`: a `.tflite`
  ///     file, an AutoML folder, or its `manifest.json`. The default is the embedded coarse classifier.
  ///   - options: Options for reading images, and for cutting the graph.
  /// - Throws: `no-embedding` for a model that ends neither in features nor in a dense layer, such as a
  ///   detector; `model-unreadable`, `model-invalid`, `model-unsupported`, `option-invalid`,
  ///   `runtime-missing`.
  public init(
    model: ModelSource = .embedded(.classifier), options: Options = Options()
  ) async throws(FoveaError) {
    (pool, plan) = try await WorkerPool<EmbeddingWorker>.open(sessions: options.sessions) {
      try EmbeddingPlan(model, options)
    }
    assumptions = try await pool.assumptions()
  }

  /// Returns the embedding of an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  /// - Returns: `dimension` numbers; their range is the model's.
  /// - Throws: `image-…` for an image that cannot be read, `option-invalid` for a region outside it,
  ///   `run-failed`, `invalid-output` for numbers that are not finite, `cancelled`.
  public func embedding(
    of image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> [Float] {
    try await analyze(image, region: region).values
  }

  /// Returns the embedding of an image, with `Options.includesGrey` also a few of its pixels.
  /// - Throws: The errors of `embedding(of:region:)`.
  package func analyze(
    _ image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> ImageEmbedding {
    try await pool.analyze(image, region: region)
  }

  /// Returns the embeddings of several parts of an image, which is opened once.
  /// - Parameters:
  ///   - image: The image.
  ///   - regions: The parts, in pixels of the unrotated image.
  /// - Returns: An embedding for each region, in their order.
  /// - Throws: The errors of `embedding(of:region:)`.
  package func analyze(
    _ image: ImageInput, regions: [BoundingBox]
  ) async throws(FoveaError) -> [ImageEmbedding] {
    try await pool.callCancellable { worker, token in
      try worker.embed(image, regions: regions, token: token)
    }
  }

  /// Returns the distance between two embeddings: 1 minus the cosine of the angle between them.
  /// - Parameters:
  ///   - first: An embedding.
  ///   - second: Another of the same embedder.
  /// - Returns: 0 for the same direction, 1 for a right angle, 2 for opposite directions; 1 if one of them is
  ///   all zeros.
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

/// An image's embedding, with its few grey pixels if they are asked for.
package struct ImageEmbedding: Sendable {
  /// The size of the stored (unrotated) image, in pixels.
  package var size: PixelSize
  /// The rotation that makes the stored image upright.
  package var orientation: Orientation
  /// The numbers of the embedding.
  package var values: [Float]
  /// The upright image, shrunk to 9 × 8 grey pixels, row by row; empty without `includesGrey`.
  package var grey: [UInt8]
  /// The time of each stage; for one of several parts of an image, only that of preparing it and of the
  /// model.
  package var timings: StageTimings
}
