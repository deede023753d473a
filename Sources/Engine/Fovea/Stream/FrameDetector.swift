// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// A detector for frames: an `ObjectDetector`, or a script in tests.
struct FrameDetector: Sendable {
  private let detect: @Sendable (VideoFrame, StreamMemory) async throws(FoveaError) -> FrameFindings

  /// Creates a detector without a memory.
  init(_ detect: @escaping @Sendable (VideoFrame) async throws(FoveaError) -> DetectionResult) {
    self.detect = { (frame, _) throws(FoveaError) in FrameFindings(result: try await detect(frame)) }
  }

  init(_ detector: ObjectDetector, selecting selection: ObjectDetector.Selection? = nil) {
    detect = { (frame, memory) throws(FoveaError) in
      try await detector.analyze(
        .pixels(frame.pixels), selecting: selection, memory: memory.at(frame.seconds))
    }
  }

  /// Finds the objects of a frame; `memory` is the model's state after the previous frame.
  /// - Throws: The detector's error, with the frame as its subject if it has none.
  func analyze(_ frame: VideoFrame, memory: StreamMemory) async throws(FoveaError) -> FrameFindings {
    do throws(FoveaError) { return try await detect(frame, memory) } catch { throw error.about(frame) }
  }
}

extension FoveaError {
  /// Returns the same error with the frame as its subject if it has none.
  func about(_ frame: VideoFrame) -> FoveaError {
    guard subject == nil else { return self }
    var error = self
    error.subject = "frame \(frame.number)"
    return error
  }
}
