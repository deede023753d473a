// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaRuntime

/// The contents of a frame of a live connection.
enum LiveAnswer: Sendable {
  /// The objects, and the notes on lines and zones that are new with this frame.
  case frame(FrameRecord, notes: [String] = [])
  case labels(DetectionRecord.Findings)

  var timings: StageTimings {
    switch self {
    case .frame(let record, _): record.timings
    case .labels(let findings): findings.timings
    }
  }
}

extension FrameFollower {
  /// Decodes and processes the next frame, with the settings it was sent under.
  /// - Throws: `FoveaError` for an image that cannot be read, and the model's errors; a refusal for a model
  ///   with another task. The next frame can be processed anyway.
  mutating func answer(_ frame: LiveFrame, _ limits: ImageLimits) async throws -> LiveAnswer {
    let start = ContinuousClock.now
    let pixels = try await frame.pixels(limits)
    let decode = ContinuousClock.now - start
    let (settings, number) = (frame.settings, Int(frame.sequence))
    let task = try settings.task(of: frame.model)
    try adopt(settings, task, of: frame.model)
    switch frame.model.engine {
    case .detector(let detector):
      var record: FrameRecord
      var notes: [String] = []
      if task == .track {
        record = try await track(
          VideoFrame(pixels: pixels, number: number, seconds: frame.seconds), of: "-", with: detector)
        notes = takeNotes()
      } else {
        let found = try await detector.analyze(.pixels(pixels), selecting: settings.detectedSelection)
        record = FrameRecord(
          source: "-", number: number, seconds: frame.seconds, size: found.size, objects: found.objects,
          timings: found.timings)
      }
      record.timings = record.timings.adding(decode: decode)
      return .frame(record, notes: notes)
    case .labeler(let labeler):
      var findings = DetectionRecord.Findings(
        try await labeler.analyze(.pixels(pixels), selecting: settings.labeledSelection))
      findings.timings = findings.timings.adding(decode: decode)
      return .labels(findings)
    case .segmenter, .embedder: throw task.ofModels.refusal(by: frame.model)
    }
  }
}

extension LiveFrame {
  /// Returns the upright pixels of the image, decoded on a separate thread: the threads shared by all
  /// connections must not block.
  fileprivate func pixels(_ limits: ImageLimits) async throws -> PixelBuffer {
    do {
      return try await LoadingThread.call {
        let encoded = try EncodedImage(bytes: image, name: "the frame", limits: limits)
        return try PixelBuffer(copying: try encoded.canvas(), name: "the frame")
      }
    } catch let error as ImageError {
      throw FoveaError(error)
    }
  }
}

extension StageTimings {
  /// Returns the timings with the time spent decoding before.
  fileprivate func adding(decode: Duration) -> StageTimings {
    var timings = self
    timings.decode += decode
    timings.total += decode
    return timings
  }
}
#endif
