// SPDX-License-Identifier: Apache-2.0

internal import Fovea
internal import FoveaErrors
internal import FoveaImage

/// Finds the boxes of a detector in many images, several at a time; its classes do not count.
struct BoxFinder: Sendable {
  private let detector: ObjectDetector
  private let jobs: Int
  /// What was assumed about the detector.
  let assumptions: [Advice]

  /// Boxes that a detector is less sure of than this are as good as none.
  private static let threshold: Float = 0.01

  init(_ options: ObjectTrainer.Options) async throws(FoveaError) {
    jobs = options.classifier.jobs ?? Cores.available
    var detection = ObjectDetector.Options()
    detection.classifier = .none
    detection.threshold = BoxFinder.threshold
    detection.maxObjects = options.maxObjects
    detection.suppression.isClassAgnostic = true
    detection.sessions = jobs
    detection.threads = 1
    detection.imageLimits = options.classifier.imageLimits
    detector = try await ObjectDetector(model: options.detector, options: detection)
    assumptions = try await detector.assumptions()
  }

  /// What an image is asked for.
  struct Question: Sendable {
    var image: ObjectSet.Image
    var isTest: Bool
  }

  private struct Outcome: Sendable {
    var index: Int
    var result: Result<BoxedImage, FoveaError>
  }

  /// Runs all images.
  /// - Parameters:
  ///   - questions: The images.
  ///   - progress: Hears how many are done.
  /// - Returns: Those that could be opened, in their order, and the errors of the others.
  /// - Throws: `cancelled`, and failures of the model, which are none of an image.
  func run(
    _ questions: [Question], progress: (Int) -> Void
  ) async throws(FoveaError) -> (images: [BoxedImage], failed: [TrainedLabels.Failed]) {
    do {
      return try await withThrowingTaskGroup(of: Outcome.self) { group in
        var results = [Result<BoxedImage, FoveaError>?](repeating: nil, count: questions.count)
        var next = 0
        func start() {
          guard next < questions.count else { return }
          let (index, question) = (next, questions[next])
          next += 1
          group.addTask { Outcome(index: index, result: try await boxed(question)) }
        }
        for _ in 0..<2 * jobs { start() }
        var done = 0
        while let outcome = try await group.next() {
          results[outcome.index] = outcome.result
          done += 1
          progress(done)
          start()
        }
        return BoxFinder.parted(questions, results)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private static func parted(
    _ questions: [Question], _ results: [Result<BoxedImage, FoveaError>?]
  ) -> (images: [BoxedImage], failed: [TrainedLabels.Failed]) {
    var parted: (images: [BoxedImage], failed: [TrainedLabels.Failed]) = ([], [])
    for (question, result) in zip(questions, results) {
      switch result {
      case .success(let image): parted.images.append(image)
      case .failure(let error): parted.failed.append(.init(name: question.image.name, error: error))
      case nil: break
      }
    }
    return parted
  }

  @concurrent
  private func boxed(_ question: Question) async throws -> Result<BoxedImage, FoveaError> {
    try Task.checkCancellation()
    do throws(FoveaError) {
      let found = try await detector.analyze(.file(question.image.path))
      return .success(
        BoxedImage(
          question.image, isTest: question.isTest, size: found.size,
          found: found.objects.map { ($0.box, Double($0.score)) }))
    } catch {
      // What an image is to blame for leaves the others alone.
      guard error.code.rawValue.hasPrefix(ImageCode.domain) else { throw error }
      return .failure(error)
    }
  }
}
