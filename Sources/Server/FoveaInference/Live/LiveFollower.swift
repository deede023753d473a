// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaRuntime

/// Decodes and processes the frames of a live connection, each with the settings it was sent under.
///
/// A value with one owner, like `ObjectTracker`. A change of the frame size restarts it.
struct LiveFollower: Sendable {
  private let limits: ImageLimits
  private var follower = FrameFollower()
  private var size: PixelSize?

  init(limits: ImageLimits) { self.limits = limits }

  /// The contents of a frame.
  enum Answer: Sendable {
    case frame(FrameRecord)
    case labels(DetectionRecord.Findings)

    var timings: StageTimings {
      switch self {
      case .frame(let record): record.timings
      case .labels(let findings): findings.timings
      }
    }
  }

  /// Processes the next frame.
  /// - Throws: `FoveaError` for an image that cannot be read, and the model's errors; a refusal for a model
  ///   with another task. The next frame can be processed anyway.
  mutating func take(_ frame: LiveFrame) async throws -> Answer {
    let start = ContinuousClock.now
    let pixels = try await LiveFollower.pixels(frame.image, limits)
    let decode = ContinuousClock.now - start
    let (settings, number) = (frame.settings, Int(frame.sequence))
    let task = try settings.task(of: frame.model)
    try follower.adopt(settings, task, of: frame.model)
    // The tracker restarts by itself at another size; its old identities then have no meaning for the
    // counters.
    if let size, size != pixels.size { try follower.restartCounts() }
    size = pixels.size
    switch frame.model.engine {
    case .detector(let detector):
      var record: FrameRecord
      if task == .track {
        record = try await follower.track(
          VideoFrame(pixels: pixels, number: number, seconds: frame.seconds), of: "-", with: detector)
      } else {
        let found = try await detector.analyze(.pixels(pixels), selecting: settings.detectedSelection)
        record = FrameRecord(
          source: "-", number: number, seconds: frame.seconds, size: found.size, objects: found.objects,
          timings: found.timings)
      }
      record.timings = record.timings.adding(decode: decode)
      return .frame(record)
    case .labeler(let labeler):
      var findings = DetectionRecord.Findings(
        try await labeler.analyze(.pixels(pixels), selecting: settings.labeledSelection))
      findings.timings = findings.timings.adding(decode: decode)
      return .labels(findings)
    case .segmenter, .embedder: throw task.ofModels.refusal(by: frame.model)
    }
  }

  /// Returns the upright pixels of an encoded image, decoded on a separate thread: the threads shared by all
  /// connections must not block.
  private static func pixels(_ image: [UInt8], _ limits: ImageLimits) async throws -> PixelBuffer {
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
