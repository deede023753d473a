// SPDX-License-Identifier: Apache-2.0

import Foundation
import MLKit
import Synchronization

/// One detector and one labeler of ML Kit's names, called in turn in each of their three ways.
final class MLKitWorker: SharedWorker {
  struct Answer: Hashable, Sendable {
    struct Label: Hashable, Sendable {
      var text: String
      var index: Int
      var confidence: Float
    }
    struct Object: Hashable, Sendable {
      var frame: [Double]
      var labels: [Label]
    }
    var objects: [Object]
    var labels: [Label]
  }

  /// An image as stored by apps; the tasks share it.
  private enum Source: Sendable {
    case image(UIImage)
    case buffer(CMSampleBuffer)
  }

  let name = "ML Kit's names"
  private let detector: ObjectDetector
  private let labeler: ImageLabeler
  /// By the name of the image.
  private let sources: [String: Source]
  private let calls = Atomic(0)

  init(_ samples: [SampleImage]) throws {
    let detection = ObjectDetectorOptions()
    detection.detectorMode = .singleImage
    detection.shouldEnableClassification = true
    detection.shouldEnableMultipleObjects = true
    detector = ObjectDetector.objectDetector(options: detection)
    let labeling = ImageLabelerOptions()
    labeling.confidenceThreshold = 0
    labeler = ImageLabeler.imageLabeler(options: labeling)
    sources = try Dictionary(uniqueKeysWithValues: samples.map { ($0.name, try Self.source(of: $0)) })
  }

  private static func source(of sample: SampleImage) throws -> Source {
    let image: UIImage?
    switch sample.content {
    case .file(let path): image = UIImage(contentsOfFile: path)
    case .bytes(let bytes): image = UIImage(data: Data(bytes))
    case .pixels(let pixels): return .buffer(CMSampleBuffer(imageBuffer: try CVPixelBuffer(pixels: pixels)))
    }
    guard let image else { throw Failure("\(sample.name) cannot be opened as a UIImage.") }
    return .image(image)
  }

  func answer(for sample: SampleImage) async throws -> Answer {
    guard let source = sources[sample.name] else {
      throw Failure("\(sample.name) is not one of the images.")
    }
    func visionImage() -> VisionImage {
      switch source {
      case .image(let image): VisionImage(image: image)
      case .buffer(let buffer): VisionImage(buffer: buffer)
      }
    }
    switch calls.add(1, ordering: .relaxed).oldValue % 3 {
    case 0:
      return try await withCheckedThrowingContinuation { (done: CheckedContinuation<Answer, any Error>) in
        detector.process(visionImage()) { [labeler] objects, error in
          guard let objects else {
            return done.resume(throwing: error ?? Failure("neither objects nor an error"))
          }
          let found = Self.objects(objects)
          labeler.process(visionImage()) { labels, error in
            guard let labels else {
              return done.resume(throwing: error ?? Failure("neither labels nor an error"))
            }
            done.resume(returning: Answer(objects: found, labels: Self.labels(labels)))
          }
        }
      }
    case 1:
      return Answer(
        objects: Self.objects(try detector.results(in: visionImage())),
        labels: Self.labels(try labeler.results(in: visionImage())))
    default:
      return Answer(
        objects: Self.objects(try await detector.process(visionImage())),
        labels: Self.labels(try await labeler.process(visionImage())))
    }
  }

  func isCancellation(_ error: any Error) -> Bool { error is MLKitError && (error as NSError).code == 1 }

  private static func objects(_ objects: [Object]) -> [Answer.Object] {
    objects.map { object in
      Answer.Object(
        frame: [object.frame.minX, object.frame.minY, object.frame.width, object.frame.height].map(
          Double.init),
        labels: object.labels.map {
          Answer.Label(text: $0.text, index: $0.index, confidence: $0.confidence)
        })
    }
  }

  private static func labels(_ labels: [ImageLabel]) -> [Answer.Label] {
    labels.map { Answer.Label(text: $0.text, index: $0.index, confidence: $0.confidence) }
  }
}
