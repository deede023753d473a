// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// What finds the objects of a frame: an `ObjectDetector`, or in tests a script.
struct FrameDetector: Sendable {
  private let look: @Sendable (VideoFrame) async throws(FoveaError) -> DetectionResult

  init(_ look: @escaping @Sendable (VideoFrame) async throws(FoveaError) -> DetectionResult) {
    self.look = look
  }

  init(_ detector: ObjectDetector) {
    self.init { frame throws(FoveaError) in try await detector.analyze(.pixels(frame.pixels)) }
  }

  /// Finds the objects of a frame.
  /// - Throws: What the detector throws, naming the frame where the message names no input.
  func analyze(_ frame: VideoFrame) async throws(FoveaError) -> DetectionResult {
    do throws(FoveaError) {
      return try await look(frame)
    } catch {
      throw error.about(frame)
    }
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
