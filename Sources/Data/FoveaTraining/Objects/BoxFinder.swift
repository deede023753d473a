// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage

/// Finds boxes of any class in many images, several at a time, or reads them from the cache.
struct BoxFinder: Sendable {
  private let detector: ObjectDetector
  private let cache: BoxCache
  private let jobs: Int
  private let limits: ImageLimits
  private let assumptions: [Advice]

  /// Boxes with lower scores are ignored.
  private static let threshold: Float = 0.01
  /// Increased when the same image gets other boxes, for example after a change of the decoder.
  private static let version = 1

  init(_ options: ObjectTrainer.Options) async throws(FoveaError) {
    jobs = options.classifier.jobs ?? Cores.available
    limits = options.classifier.imageLimits
    var detection = ObjectDetector.Options()
    detection.classifier = .none
    detection.threshold = BoxFinder.threshold
    detection.maxObjects = options.maxObjects
    detection.suppression.isClassAgnostic = true
    detection.sessions = jobs
    detection.threads = 1
    detection.imageLimits = limits
    detector = try await ObjectDetector(model: options.detector, options: detection)
    assumptions = try await detector.assumptions()
    let folder = options.classifier.cacheFolder
    let checksum = folder == nil ? "" : try await options.detector.checksum()
    cache = BoxCache(
      detector: "\(BoxFinder.version)|\(checksum)|\(BoxFinder.threshold)", maxObjects: options.maxObjects,
      in: folder)
  }

  /// Assumptions about the detector, and the reason why boxes are not cached.
  var notes: [Advice] { assumptions + (cache.note.map { [Advice($0)] } ?? []) }

  private struct Outcome: Sendable {
    var index: Int
    var result: Result<BoxedImage, FoveaError>
    /// The boxes that are not cached yet.
    var new: (boxes: FoundBoxes, digest: PhotoDigest)?
  }

  /// Runs all images; if cancelled, the found boxes stay in the cache.
  /// - Parameters:
  ///   - images: The images.
  ///   - progress: Called with the number of finished images.
  /// - Returns: The images that could be opened, in their order, and the errors of the others.
  /// - Throws: `cancelled`, and failures of the model that no single image causes.
  func run(
    _ images: [ObjectSet.Image], progress: (Int) -> Void
  ) async throws(FoveaError) -> (images: [BoxedImage], failed: [TrainedLabels.Failed]) {
    do {
      return try await withThrowingTaskGroup(of: Outcome.self) { group in
        var results = [Result<BoxedImage, FoveaError>?](repeating: nil, count: images.count)
        var next = 0
        func start() {
          guard next < images.count else { return }
          let (index, image) = (next, images[next])
          next += 1
          group.addTask { try await outcome(of: image, index) }
        }
        for _ in 0..<2 * jobs { start() }
        var done = 0
        while let outcome = try await group.next() {
          if let (boxes, digest) = outcome.new { cache.keep(boxes, of: digest) }
          results[outcome.index] = outcome.result
          done += 1
          progress(done)
          start()
        }
        return BoxFinder.parted(images, results)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private static func parted(
    _ images: [ObjectSet.Image], _ results: [Result<BoxedImage, FoveaError>?]
  ) -> (images: [BoxedImage], failed: [TrainedLabels.Failed]) {
    var parted: (images: [BoxedImage], failed: [TrainedLabels.Failed]) = ([], [])
    for (image, result) in zip(images, results) {
      switch result {
      case .success(let boxed): parted.images.append(boxed)
      case .failure(let error): parted.failed.append(.init(name: image.name, error: error))
      case nil: break
      }
    }
    return parted
  }

  @concurrent
  private func outcome(of image: ObjectSet.Image, _ index: Int) async throws -> Outcome {
    try Task.checkCancellation()
    do throws(FoveaError) {
      let encoded: EncodedImage
      do throws(ImageError) { encoded = try EncodedImage(path: image.path, limits: limits) } catch {
        throw FoveaError(error)
      }
      let digest = PhotoDigest(of: encoded.bytes)
      if let kept = cache.boxes(of: digest) {
        return Outcome(index: index, result: .success(BoxedImage(image, kept)))
      }
      let found = try await boxes(of: encoded)
      return Outcome(index: index, result: .success(BoxedImage(image, found)), new: (found, digest))
    } catch {
      // An error of one image does not affect the others.
      guard error.code.rawValue.hasPrefix(ImageCode.domain) else { throw error }
      return Outcome(index: index, result: .failure(error))
    }
  }

  private func boxes(of image: EncodedImage) async throws(FoveaError) -> FoundBoxes {
    let found = try await detector.analyze(.encoded(image))
    return FoundBoxes(
      size: found.size, boxes: found.objects.map { FoundBoxes.Box(box: $0.box, score: $0.score) })
  }
}

/// The boxes that a detector found in an image.
struct FoundBoxes: Sendable, Equatable {
  /// One box, in pixels of the unrotated image.
  struct Box: Sendable, Equatable {
    var box: BoundingBox
    var score: Float
  }

  /// The size of the unrotated image.
  var size: PixelSize
  /// The boxes by descending score.
  var boxes: [Box]
}
