// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
import FoveaRuntime

/// Finds objects in images.
///
/// Make one and use it for many images, from any number of tasks: making it loads and compiles the models, which
/// takes longer than detecting. Tasks beyond `Options.sessions` wait for their turn; a cancelled one gives it up.
///
///     let detector = try await ObjectDetector()
///     for object in try await detector.detect(in: .file("street.jpg")) {
///       print(object.box, object.score, object.labels.first?.text ?? "–")
///     }
public final class ObjectDetector: Sendable {
  private let pool: WorkerPool<DetectionWorker>

  /// Makes a detector.
  /// - Parameters:
  ///   - model: A detector of a family that Fovea knows; or a classifier, which then labels what the embedded localizer
  ///     finds. Nil, the default, takes the embedded detector, which names objects of the 80 classes of COCO; with a
  ///     classifier of your own in the options it takes the embedded localizer, whose boxes the classifier labels.
  ///   - options: What to find and how.
  /// - Throws: `model-unreadable`, `model-invalid`, `model-unsupported`, `unknown-family` with the model's tensors,
  ///   `metadata-…` for broken metadata or labels that do not fit, `option-invalid`, `runtime-missing` where LiteRT is
  ///   not installed.
  public init(model: ModelSource? = nil, options: Options = Options()) async throws(FoveaError) {
    do {
      let plan = try await LoadingThread.call { try DetectionPlan(model: model, options: options) }
      pool = try await WorkerPool(count: options.sessions) { try DetectionWorker(plan) }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Finds the objects of an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil takes all of it.
  /// - Returns: The objects by falling score, boxes in pixels of the unrotated image.
  /// - Throws: `image-…` for an image that cannot be read, `option-invalid` for a region outside it, `run-failed`,
  ///   `cancelled`.
  public func detect(
    in image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> [DetectedObject] {
    try await analyze(image, region: region).objects
  }

  /// Finds the objects of an image, and returns its size, its orientation and the time of each stage as well.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil takes all of it.
  /// - Returns: The result; objects as `detect(in:region:)` orders them.
  /// - Throws: As `detect(in:region:)`.
  public func analyze(
    _ image: ImageInput, region: BoundingBox? = nil
  ) async throws(FoveaError) -> DetectionResult {
    try await analyze(image, region: region, memory: StreamMemory()).result
  }

  /// Finds the objects of an image, and reports what this call asks for.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the unrotated image; nil takes all of it.
  ///   - selection: What to report in place of the detector's own options.
  /// - Returns: The result that a detector with those options gives.
  /// - Throws: As `detect(in:region:)`; `option-invalid` for a selection out of range, and for what the models cannot do.
  public func analyze(
    _ image: ImageInput, region: BoundingBox? = nil, selecting selection: Selection
  ) async throws(FoveaError) -> DetectionResult {
    try await pool.callCancellable { worker, token in
      try worker.detect(in: image, region: region, selecting: selection, memory: StreamMemory(), token: token)
    }.result
  }

  /// Finds the objects of the next frame of a stream; `memory` is that of the frame before.
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

  /// Checks a selection before there is an image to use it for.
  /// - Parameter selection: What later calls ask for.
  /// - Throws: `option-invalid` for values out of range, and for labels the models do not have; `cancelled`.
  package func check(_ selection: Selection) async throws(FoveaError) {
    try await pool.callCancellable { worker, _ in try worker.check(selection) }
  }

  /// The names of the classes that the first label of an object can have, by the label's index.
  ///
  /// They are those of the detector where it has classes, else those of the classifier. A classifier without names
  /// gives "class 0", "class 1", …
  /// - Returns: The names; empty where objects have no labels, or the detector's classes have no names.
  /// - Throws: `cancelled`.
  public func classNames() async throws(FoveaError) -> [String] {
    try await pool.callCancellable { worker, _ in worker.classNames }
  }

  /// Assumptions made because neither the options nor the model decide it, such as the normalisation of float
  /// inputs; also what was repaired in a model in memory, and that XNNPACK cannot compute it.
  ///
  /// A wrong assumption gives poor results without an error, so show it to the person who chose the model.
  /// - Returns: A sentence for each assumption, without the final stop, that names the option; empty where none was made.
  /// - Throws: `cancelled`.
  public func assumptions() async throws(FoveaError) -> [Advice] {
    try await pool.callCancellable { worker, _ in worker.assumptions }
  }
}
