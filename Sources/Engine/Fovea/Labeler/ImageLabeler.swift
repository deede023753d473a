// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaDecoding
public import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// Labels an image, or a region of it.
///
/// Create one and use it for many images, from any number of tasks, like `ObjectDetector`.
///
///     let birds = try await ImageLabeler(model: .file("bird.tflite"))
///     for label in try await birds.labels(in: .file("garden.jpg")) {
///       print(label.text ?? "–", label.confidence)
///     }
public final class ImageLabeler: Sendable {
  private let pool: WorkerPool<LabelingWorker>

  /// The assumptions made about facts that neither the options nor the model states, such as the
  /// normalisation of float inputs and the activation of raw scores; also the repairs made to the model in
  /// memory, and a note if XNNPACK cannot run it.
  ///
  /// A wrong assumption gives poor results without an error, so show it to the person who chose the model. A
  /// sentence for each assumption, without the full stop, that names the option; empty if there are none.
  public let assumptions: [Advice]

  /// Creates a labeler.
  /// - Parameters:
  ///   - model: A classifier: a `.tflite` file, an AutoML folder, or its `manifest.json`. The default is the
  ///     embedded coarse classifier: Fashion good, Food, Home good, Place, Plant.
  ///   - options: Options for what to report and how.
  /// - Throws: `model-unreadable`, `model-invalid`, `model-unsupported`, `not-a-classifier`, `metadata-…` for
  ///   broken metadata or labels that do not fit, `option-invalid`, `runtime-missing`.
  public init(
    model: ModelSource = .embedded(.classifier), options: Options = Options()
  ) async throws(FoveaError) {
    (pool, _) = try await WorkerPool<LabelingWorker>.open(sessions: options.sessions) {
      try LabelingPlan(model, options)
    }
    assumptions = try await pool.assumptions()
  }

  /// Labels an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  /// - Returns: The labels, most confident first; equal confidences in the order of the classes.
  /// - Throws: `image-…` for an image that cannot be read, `option-invalid` for a region outside it,
  ///   `run-failed`, `invalid-output` for a confidence outside 0…1, `cancelled`.
  public func labels(in image: ImageInput, region: BoundingBox? = nil) async throws(FoveaError) -> [Label] {
    try await analyze(image, region: region).labels
  }

  /// Labels an image, and also returns its size, its orientation and the time of each stage.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  /// - Returns: The result; labels in the order of `labels(in:region:)`.
  /// - Throws: The errors of `labels(in:region:)`.
  public func analyze(
    _ image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> LabelingResult {
    try await pool.analyze(image, region: region)
  }

  /// Labels an image, with options for this call.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  ///   - selection: The results to report, instead of the labeler's own options.
  /// - Returns: The same result as from a labeler with those options.
  /// - Throws: The errors of `labels(in:region:)`; `option-invalid` for a selection out of range, or labels
  ///   the model does not have.
  public func analyze(
    _ image: ImageInput, region: BoundingBox? = nil, selecting selection: Selection
  ) async throws(FoveaError) -> LabelingResult {
    try await pool.callCancellable { worker, token in
      try worker.label(image, region: region, selecting: selection, token: token)
    }
  }

  /// Verifies a selection before the first image.
  /// - Parameter selection: The selection of later calls.
  /// - Throws: `option-invalid` for values out of range, and for labels the model does not have; `cancelled`.
  package func check(_ selection: Selection) async throws(FoveaError) {
    try await pool.callCancellable { worker, _ in try worker.check(selection) }
  }

  /// Returns the class names by index, "class 0" and so on if the model has none, and the lowest confidence
  /// of a label.
  /// - Throws: `cancelled`.
  package func facts() async throws(FoveaError) -> (classNames: [String], threshold: Float) {
    try await pool.callCancellable { worker, _ in (worker.classNames, worker.threshold) }
  }

  /// Opens and decodes an image at the size that this labeler needs, for `ImageInput.prepared(_:)`.
  /// - Parameter image: The image.
  /// - Returns: The decoded image.
  /// - Throws: `image-…` for an image that cannot be read, `cancelled`.
  public func prepare(_ image: ImageInput) async throws(FoveaError) -> PreparedImage {
    try await pool.callCancellable { worker, _ in try worker.prepare(image) }
  }
}
