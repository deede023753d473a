// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding

/// One detector and one labeler with the embedded models.
struct FoveaWorker: SharedWorker {
  struct Answer: Hashable, Sendable {
    var objects: [DetectedObject]
    var labels: [Label]
  }

  let name: String
  private let detector: ObjectDetector
  private let labeler: ImageLabeler

  init(sessions: Int) async throws {
    name = "Fovea, \(sessions) \(sessions == 1 ? "session" : "sessions") each"
    var detection = ObjectDetector.Options()
    detection.sessions = sessions
    detector = try await ObjectDetector(options: detection)
    var labeling = ImageLabeler.Options()
    labeling.sessions = sessions
    labeler = try await ImageLabeler(options: labeling)
  }

  func answer(for sample: SampleImage) async throws -> Answer {
    let input = sample.input
    async let objects = detector.detect(in: input)
    async let labels = labeler.labels(in: input)
    return Answer(objects: try await objects, labels: try await labels)
  }

  func isCancellation(_ error: any Error) -> Bool { (error as? FoveaError)?.code == .cancelled }
}
