// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaDecoding
import FoveaRuntime

/// A model that is compared, ready to answer for images.
///
/// Answers come from the classes that apps use: `ObjectDetector`, `ImageLabeler`, `ImageSegmenter` and
/// `ImageEmbedder`; the numbers of other models, from their tensors.
package struct ComparedModel: Sendable {
  /// The way to the model's results.
  private enum Runner: Sendable {
    case detector(ObjectDetector)
    case labeler(ImageLabeler)
    case segmenter(ImageSegmenter)
    case embedder(ImageEmbedder)
    case tensors(WorkerPool<ImageTensorWorker>)
  }

  /// The largest number of objects of an image, as in COCO's figures.
  private static let objectLimit = 100
  /// The least score of objects for average precision, as in COCO's evaluations.
  private static let evaluationThreshold: Float = 0.001

  /// The model.
  package let source: ModelSource
  /// The path of the model's file, or its name.
  package let name: String
  /// The task of the model.
  package let task: ComparedTask
  /// The size of the model's file.
  package let byteCount: Int
  /// The names of the classes by position; empty if the model has no classes, or nothing names them.
  package let classNames: [String]
  /// The number of classes; nil for a model without classes, or if its outputs do not determine it.
  let classCount: Int?
  /// Whether results have classes.
  let hasClasses: Bool
  /// The lowest score of an object; nil for other tasks.
  package let threshold: Float?
  /// The assumptions made about facts that the model does not declare, as sentences without the full stop.
  package let assumptions: [Advice]
  /// The options of its sessions.
  let options: ObjectDetector.Options
  private let runner: Runner

  /// Loads and compiles a model.
  /// - Parameters:
  ///   - source: The model.
  ///   - options: Facts that the model does not declare, the threshold of objects, the threads, and the
  ///     limits of images.
  /// - Throws: The errors of models; `model-unsupported` for one without an image input.
  package init(
    _ source: ModelSource, options: ObjectDetector.Options = ObjectDetector.Options()
  ) async throws(FoveaError) {
    var options = options
    options.classifier = .none
    options.sessions = 1
    options.maxObjects = Self.objectLimit
    self.options = options
    self.source = source
    let model: ModelInspection
    do {
      let asked = options
      model = try await LoadingThread.call { try ModelInspection(of: source, options: asked) }
    } catch {
      throw FoveaError(error)
    }
    name = model.name
    byteCount = model.byteCount
    classCount = model.classCount
    task = ComparedTask(model)
    runner = try await Self.runner(task, source, options)
    var (names, threshold, notes): ([String], Float?, [Advice]) = ([], nil, [])
    switch runner {
    case .detector(let detector):
      names = try await detector.classNames()
      threshold = detector.threshold
      notes = try await detector.assumptions()
    case .labeler(let labeler):
      // Without labels, the names are only numbers.
      names = model.lacksLabels ? [] : try await labeler.facts().classNames
      notes = labeler.assumptions
    case .segmenter(let segmenter): (names, notes) = (segmenter.labels, segmenter.assumptions)
    case .embedder(let embedder): notes = embedder.assumptions
    case .tensors: break
    }
    (classNames, self.threshold, assumptions) = (names, threshold, notes)
    hasClasses = !names.isEmpty || model.lacksLabels
  }

  private static func runner(
    _ task: ComparedTask, _ source: ModelSource, _ options: ObjectDetector.Options
  ) async throws(FoveaError) -> Runner {
    switch task {
    case .detection: return .detector(try await ObjectDetector(model: source, options: options))
    case .labeling:
      return .labeler(try await ImageLabeler(model: source, options: ImageLabeler.Options(options)))
    case .segmentation:
      return .segmenter(try await ImageSegmenter(model: source, options: ImageSegmenter.Options(options)))
    case .embedding:
      return .embedder(try await ImageEmbedder(model: source, options: ImageEmbedder.Options(options)))
    case .numbers:
      do {
        return .tensors(try await WorkerPool(count: 1) { try ImageTensorWorker(source, options) })
      } catch {
        throw FoveaError(error)
      }
    }
  }

  /// Returns the model's answer for an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - threshold: The lowest score of an object; nil for the model's own.
  /// - Returns: The answer, whose kind is that of the model's task.
  /// - Throws: `image-…` for an image that cannot be read, `run-failed`, `invalid-output`, `cancelled`.
  package func answer(
    to image: ImageInput, threshold: Float? = nil
  ) async throws(FoveaError) -> ModelAnswer {
    switch runner {
    case .detector(let detector):
      var selection = ObjectDetector.Selection()
      selection.threshold = threshold
      return .objects(try await detector.analyze(image, selecting: selection).objects)
    case .labeler(let labeler):
      var selection = ImageLabeler.Selection()
      selection.threshold = 0
      selection.maxResults = max(1, classCount ?? Int(Int32.max))
      return .labels(try await labeler.analyze(image, selecting: selection).labels)
    case .segmenter(let segmenter):
      let found = try await segmenter.analyze(image)
      return .map(found.map, of: found.size)
    case .embedder(let embedder): return .numbers([try await embedder.embedding(of: image)])
    case .tensors(let pool):
      return .numbers(
        try await pool.callCancellable { worker, token in
          try worker.fill(image)
          try worker.run(cancelledBy: token)
          return try worker.numbers()
        })
    }
  }

  /// Returns the objects of an image with all scores that average precision counts; nil if the model is not a
  /// detector.
  /// - Throws: The errors of `answer(to:threshold:)`.
  func evaluatedObjects(in image: ImageInput) async throws(FoveaError) -> DetectionResult? {
    guard case .detector(let detector) = runner else { return nil }
    var selection = ObjectDetector.Selection()
    selection.threshold = Self.evaluationThreshold
    return try await detector.analyze(image, selecting: selection)
  }
}
