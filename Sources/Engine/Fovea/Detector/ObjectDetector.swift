// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
import FoveaRuntime

/// Finds objects in images.
///
/// Create one and use it for many images, from any number of tasks: creating it loads and compiles the
/// models, which takes longer than detecting. Calls beyond `Options.sessions` wait for their turn; a
/// cancelled call loses it.
///
///     let detector = try await ObjectDetector()
///     for object in try await detector.detect(in: .file("street.jpg")) {
///       print(object.box, object.score, object.labels.first?.text ?? "–")
///     }
public final class ObjectDetector: Sendable {
  private let pool: WorkerPool<DetectionWorker>
  /// The names and edges of the keypoints of each object; nil if the model finds none, or if nothing shows
  /// what they are.
  public let keypointSet: KeypointSet?

  /// Creates a detector.
  /// - Parameters:
  ///   - model: A detector of a family that Fovea knows; a `.task` bundle of MediaPipe, a detector with its
  ///     landmark model; or a classifier, which then labels the objects of the embedded localizer. Nil, the
  ///     default, uses the embedded detector, which names objects of the 80 classes of COCO; with a custom
  ///     classifier in the options it uses the embedded localizer, whose boxes the classifier labels.
  ///   - options: Options for what to find and how.
  /// - Throws: `model-unreadable`, `model-invalid`, `model-unsupported`, `unknown-family` with the model's
  ///   tensors, `metadata-…` for broken metadata or labels that do not fit, `option-invalid`,
  ///   `runtime-missing` if LiteRT is not installed.
  public init(model: ModelSource? = nil, options: Options = Options()) async throws(FoveaError) {
    let opened = try await WorkerPool<DetectionWorker>.open(sessions: options.sessions) {
      try DetectionPlan(model: model, options: options)
    }
    (pool, keypointSet) = (opened.pool, opened.plan.keypointSet)
  }

  /// Finds the objects of an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  /// - Returns: The objects by descending score, boxes in pixels of the unrotated image.
  /// - Throws: `image-…` for an image that cannot be read, `option-invalid` for a region outside it,
  ///   `run-failed`, `cancelled`.
  public func detect(
    in image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> [DetectedObject] {
    try await analyze(image, region: region).objects
  }

  /// Finds the objects of an image, and also returns its size, its orientation and the time of each stage.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  /// - Returns: The result; objects in the order of `detect(in:region:)`.
  /// - Throws: The errors of `detect(in:region:)`.
  public func analyze(
    _ image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> DetectionResult {
    try await pool.analyze(image, region: region)
  }

  /// Finds the objects of an image, with options for this call.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil for the whole image.
  ///   - selection: The results to report, instead of the detector's own options.
  /// - Returns: The same result as from a detector with those options.
  /// - Throws: The errors of `detect(in:region:)`; `option-invalid` for a selection out of range, or one that
  ///   the models do not support.
  public func analyze(
    _ image: ImageInput, region: BoundingBox? = nil, selecting selection: Selection
  ) async throws(FoveaError) -> DetectionResult {
    try await pool.callCancellable { worker, token in
      try worker.detect(in: image, region: region, selecting: selection, memory: StreamMemory(), token: token)
    }.result
  }

  /// Finds the objects of the next frame of a stream; `memory` comes from the frame before.
  func analyze(
    _ image: ImageInput, region: BoundingBox? = nil, selecting selection: Selection? = nil,
    memory: StreamMemory
  ) async throws(FoveaError) -> FrameFindings {
    try await pool.callCancellable { worker, token in
      try worker.detect(in: image, region: region, selecting: selection, memory: memory, token: token)
    }
  }

  /// Opens and decodes an image at the size that this detector needs, for `ImageInput.prepared(_:)`.
  /// - Parameter image: The image.
  /// - Returns: The decoded image.
  /// - Throws: `image-…` for an image that cannot be read, `cancelled`.
  public func prepare(_ image: ImageInput) async throws(FoveaError) -> PreparedImage {
    try await pool.callCancellable { worker, _ in try worker.prepare(image) }
  }

  /// Verifies a selection before the first image.
  /// - Parameter selection: The selection of later calls.
  /// - Throws: `option-invalid` for values out of range, and for labels the models do not have; `cancelled`.
  package func check(_ selection: Selection) async throws(FoveaError) {
    try await pool.callCancellable { worker, _ in try worker.check(selection) }
  }

  /// Returns the names of the classes that the first label of an object can have, by the label's index.
  ///
  /// They are the detector's classes if it has any, else the classifier's. A classifier without names returns
  /// "class 0", "class 1", …
  /// - Returns: The names; empty if objects have no labels, or the detector's classes have no names.
  /// - Throws: `cancelled`.
  public func classNames() async throws(FoveaError) -> [String] {
    try await pool.callCancellable { worker, _ in worker.classNames }
  }

  /// Returns the assumptions made about facts that neither the options nor the model states, such as the
  /// normalisation of float inputs; also the repairs made to a model in memory, and a note if XNNPACK cannot
  /// run it.
  ///
  /// A wrong assumption gives poor results without an error, so show it to the person who chose the model.
  /// - Returns: A sentence for each assumption, without the full stop, that names the option; empty if there
  ///   are none.
  /// - Throws: `cancelled`.
  public func assumptions() async throws(FoveaError) -> [Advice] {
    try await pool.assumptions()
  }
}
