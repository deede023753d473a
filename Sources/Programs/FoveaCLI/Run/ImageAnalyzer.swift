// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaGeometry

/// The interface between the run loop and the library, so that tests run the loop without a model.
protocol ImageAnalyzer: Sendable {
  func findings(in photo: Photo) async throws(FoveaError) -> DetectionRecord.Findings

  /// Returns the class names that an object's first label can have, by index; empty if they are not known.
  func classNames() async throws(FoveaError) -> [String]

  /// The known set of the keypoints that objects can have; nil without one.
  var keypointSet: KeypointSet? { get }

  /// Returns the assumptions made about the models, as sentences.
  func assumptions() async throws(FoveaError) -> [Advice]

  /// Decodes an image once, then times `count` calls on the decoded image.
  /// - Returns: The time of each call; nil if decoding and analysis cannot be separated.
  func inferenceTimes(in photo: Photo, count: Int) async throws(FoveaError) -> [Duration]?
}

extension ImageAnalyzer {
  func classNames() async throws(FoveaError) -> [String] { [] }

  var keypointSet: KeypointSet? { nil }

  func assumptions() async throws(FoveaError) -> [Advice] { [] }

  func inferenceTimes(in photo: Photo, count: Int) async throws(FoveaError) -> [Duration]? { nil }

  /// Times `count` calls of `body`.
  fileprivate func times(
    _ count: Int, of body: () async throws(FoveaError) -> Void
  ) async throws(FoveaError) -> [Duration] {
    let clock = ContinuousClock()
    var times: [Duration] = []
    times.reserveCapacity(count)
    for _ in 0..<count {
      let start = clock.now
      try await body()
      times.append(clock.now - start)
    }
    return times
  }
}

/// The analyzer of `fovea detect`: finds objects with the library's detector.
struct DetectorAnalyzer: ImageAnalyzer {
  let detector: ObjectDetector
  let region: BoundingBox?

  func classNames() async throws(FoveaError) -> [String] { try await detector.classNames() }

  var keypointSet: KeypointSet? { detector.keypointSet }

  func assumptions() async throws(FoveaError) -> [Advice] { try await detector.assumptions() }

  func findings(in photo: Photo) async throws(FoveaError) -> DetectionRecord.Findings {
    DetectionRecord.Findings(try await detector.analyze(try photo.input(), region: region))
  }

  func inferenceTimes(in photo: Photo, count: Int) async throws(FoveaError) -> [Duration]? {
    let prepared = try await detector.prepare(try photo.input())
    return try await times(count) { () async throws(FoveaError) in
      _ = try await detector.analyze(.prepared(prepared), region: region)
    }
  }
}

/// The analyzer of `fovea label`: labels images with the library's labeler.
struct LabelerAnalyzer: ImageAnalyzer {
  let labeler: ImageLabeler
  let region: BoundingBox?

  func assumptions() async throws(FoveaError) -> [Advice] { labeler.assumptions }

  func findings(in photo: Photo) async throws(FoveaError) -> DetectionRecord.Findings {
    DetectionRecord.Findings(try await labeler.analyze(try photo.input(), region: region))
  }

  func inferenceTimes(in photo: Photo, count: Int) async throws(FoveaError) -> [Duration]? {
    let prepared = try await labeler.prepare(try photo.input())
    return try await times(count) { () async throws(FoveaError) in
      _ = try await labeler.analyze(.prepared(prepared), region: region)
    }
  }
}

/// The analyzer of `fovea segment`: finds the classes of images with the library's segmenter.
struct SegmenterAnalyzer: ImageAnalyzer {
  let segmenter: ImageSegmenter
  let region: BoundingBox?

  func assumptions() async throws(FoveaError) -> [Advice] { segmenter.assumptions }

  func findings(in photo: Photo) async throws(FoveaError) -> DetectionRecord.Findings {
    DetectionRecord.Findings(try await segmenter.analyze(try photo.input(), region: region))
  }
}
