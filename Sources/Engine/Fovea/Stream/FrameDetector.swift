// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// What finds the objects of a frame: an `ObjectDetector`, or in tests a script.
struct FrameDetector: Sendable {
  private let detect: @Sendable (VideoFrame, StreamMemory) async throws(FoveaError) -> FrameFindings

  /// A detector without a memory.
  init(_ detect: @escaping @Sendable (VideoFrame) async throws(FoveaError) -> DetectionResult) {
    self.detect = { (frame, _) throws(FoveaError) in FrameFindings(result: try await detect(frame)) }
  }

  init(_ detector: ObjectDetector, selecting selection: ObjectDetector.Selection? = nil) {
    detect = { (frame, memory) throws(FoveaError) in
      try await detector.analyze(.pixels(frame.pixels), selecting: selection, memory: memory)
    }
  }

  /// Finds the objects of a frame; `memory` is that of the frame before.
  /// - Throws: What the detector throws, naming the frame where the message names no input.
  func analyze(_ frame: VideoFrame, memory: StreamMemory) async throws(FoveaError) -> FrameFindings {
    do throws(FoveaError) { return try await detect(frame, memory) } catch { throw error.about(frame) }
  }
}

extension FoveaError {
  /// The same error, which names the frame where it names no other input.
  func about(_ frame: VideoFrame) -> FoveaError {
    guard subject == nil else { return self }
    var error = self
    error.subject = "frame \(frame.number)"
    return error
  }
}
