// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaGeometry
import FoveaRuntime

/// Finds the class of each part of an image: people before a background, or roads, cars and sky.
///
/// Create one and use it for many images, from any number of tasks, like `ObjectDetector`.
///
///     let segmenter = try await ImageSegmenter(model: .file("deeplabv3.tflite"))
///     let map = try await segmenter.segment(.file("street.jpg"))
///     for part in map.shares {
///       print(part.label ?? "class \(part.classIndex)", part.share)
///     }
public final class ImageSegmenter: Sendable {
  private let pool: WorkerPool<SegmentationWorker>

  /// The names of the classes by index; empty if neither the model nor the options have any.
  public let labels: [String]

  /// The assumptions made about facts that neither the options nor the model states, such as the
  /// normalisation of float inputs; also the repairs made to the model in memory, and a note if XNNPACK
  /// cannot run it.
  ///
  /// A wrong assumption gives poor results without an error, so show it to the person who chose the model. A
  /// sentence for each assumption, without the full stop, that names the option; empty if there are none.
  public let assumptions: [Advice]

  /// Creates a segmenter.
  /// - Parameters:
  ///   - model: A segmentation model: a `.tflite` file. There is no embedded one.
  ///   - options: Options for what to read and how.
  /// - Throws: `model-unreadable`, `model-invalid`, `model-unsupported` for a model without a map of classes,
  ///   `family-mismatch`, `metadata-…` for broken metadata or labels that do not fit, `option-invalid`,
  ///   `runtime-missing`.
  public init(model: ModelSource, options: Options = Options()) async throws(FoveaError) {
    let opened = try await WorkerPool<SegmentationWorker>.open(sessions: options.sessions) {
      try SegmentationPlan(model, options)
    }
    (pool, labels) = (opened.pool, opened.plan.labels)
    assumptions = try await pool.assumptions()
  }

  /// Returns the class of each part of an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  /// - Returns: The map, in pixels of the unrotated image.
  /// - Throws: `image-…` for an image that cannot be read, `option-invalid` for a region outside it,
  ///   `run-failed`, `invalid-output` for numbers that are not classes or probabilities, `labels-do-not-fit`
  ///   for a class without a label, `cancelled`.
  public func segment(
    _ image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> SegmentationMap {
    try await analyze(image, region: region).map
  }

  /// Returns the class of each part of an image, its size, its orientation and the time of each stage.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  /// - Returns: The result.
  /// - Throws: The errors of `segment(_:region:)`.
  public func analyze(
    _ image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> SegmentationResult {
    try await pool.analyze(image, region: region)
  }

  /// Opens and decodes an image at the size that this segmenter needs, for `ImageInput.prepared(_:)`.
  /// - Parameter image: The image.
  /// - Returns: The decoded image.
  /// - Throws: `image-…` for an image that cannot be read, `cancelled`.
  public func prepare(_ image: ImageInput) async throws(FoveaError) -> PreparedImage {
    try await pool.callCancellable { worker, _ in try worker.prepare(image) }
  }
}
