// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaDecoding
package import FoveaRuntime

/// A model that is compared, ready to answer for images on the caller's thread.
///
/// Answers are those of `ObjectDetector`, `ImageLabeler`, `ImageSegmenter` and `ImageEmbedder`; for other
/// models, the numbers of their tensors.
package struct ComparedModel: Sendable {
  /// The way to the model's results.
  private enum Runner: Sendable {
    case analyzer(BlockingAnalyzer)
    case tensors(BlockingPool<ImageTensorWorker>)
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
  ) throws(FoveaError) {
    var options = options
    options.classifier = .none
    options.sessions = 1
    options.maxObjects = Self.objectLimit
    self.options = options
    self.source = source
    let model: ModelInspection
    do { model = try ModelInspection(of: source, options: options) } catch { throw FoveaError(error) }
    name = model.name
    byteCount = model.byteCount
    classCount = model.classCount
    task = ComparedTask(model)
    runner = try Self.runner(task, source, options, classCount: model.classCount)
    if case .analyzer(let analyzer) = runner {
      // Without labels, a classifier's names are only numbers.
      classNames = task == .labeling && model.lacksLabels ? [] : analyzer.classNames
      (threshold, assumptions) = (analyzer.threshold, analyzer.assumptions)
    } else {
      (classNames, threshold, assumptions) = ([], nil, [])
    }
    hasClasses = !classNames.isEmpty || model.lacksLabels
  }

  /// Loads and compiles a model on a thread of its own.
  package init(
    _ source: ModelSource, options: ObjectDetector.Options = ObjectDetector.Options()
  ) async throws(FoveaError) {
    self = try await BlockingWork.run { _ throws(FoveaError) in
      try ComparedModel(source, options: options)
    }
  }

  private static func runner(
    _ task: ComparedTask, _ source: ModelSource, _ options: ObjectDetector.Options, classCount: Int?
  ) throws(FoveaError) -> Runner {
    switch task {
    case .detection: return .analyzer(try BlockingAnalyzer(detector: source, options))
    case .labeling:
      var labeling = ImageLabeler.Options(options)
      labeling.threshold = 0
      labeling.maxResults = max(1, classCount ?? Int(Int32.max))
      return .analyzer(try BlockingAnalyzer(labeler: source, labeling))
    case .segmentation:
      return .analyzer(try BlockingAnalyzer(segmenter: source, ImageSegmenter.Options(options)))
    case .embedding:
      return .analyzer(try BlockingAnalyzer(embedder: source, ImageEmbedder.Options(options)))
    case .numbers:
      do { return .tensors(try BlockingPool(count: 1) { try ImageTensorWorker(source, options) }) } catch {
        throw FoveaError(error)
      }
    }
  }

  /// Returns the model's answer for an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - threshold: The lowest score of an object; nil for the model's own.
  ///   - token: Cancels the call from another thread.
  /// - Returns: The answer, whose kind is that of the model's task.
  /// - Throws: `image-…` for an image that cannot be read, `run-failed`, `invalid-output`, `cancelled`.
  package func answer(
    to image: ImageInput, threshold: Float? = nil, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> ModelAnswer {
    switch runner {
    case .analyzer(let analyzer):
      switch try analyzer.analyze(image, threshold: threshold, cancelledBy: token) {
      case .objects(let found): .objects(found.objects)
      case .labels(let found): .labels(found.labels)
      case .map(let found): .map(found.map, of: found.size)
      case .features(let found): .numbers([found.values])
      }
    case .tensors(let pool):
      .numbers(
        try pool.withResource(cancelledBy: token) { worker in
          try worker.fill(image)
          try worker.run(cancelledBy: token)
          return try worker.numbers()
        })
    }
  }

  /// Returns the objects of an image with all scores that average precision counts; nil if the model is not a
  /// detector.
  /// - Throws: The errors of `answer(to:threshold:cancelledBy:)`.
  func evaluatedObjects(
    in image: ImageInput, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> DetectionResult? {
    guard case .analyzer(let analyzer) = runner, task == .detection,
      case .objects(let found) = try analyzer.analyze(
        image, threshold: Self.evaluationThreshold, cancelledBy: token)
    else { return nil }
    return found
  }
}
