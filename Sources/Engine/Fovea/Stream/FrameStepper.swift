// SPDX-License-Identifier: Apache-2.0

package import FoveaImage

/// Processes frames one by one like a `FrameSession`, for callers that want each frame's own result.
///
/// A value with one owner, like `ObjectTracker`.
package struct FrameStepper: Sendable {
  private var tracker: ObjectTracker
  /// The detector in the background; nil if each frame waits for it.
  private let background: FrameDetector?
  private var detection: BackgroundDetection?
  /// The state of the detector in the background.
  private var memory = StreamMemory()

  /// Creates a stepper.
  /// - Throws: `option-invalid` or `invalid-parameter` for an option out of range.
  package init(
    detector: ObjectDetector, frameRate: Double? = nil, options: FrameSession.Options = FrameSession.Options()
  ) throws(FoveaError) {
    try self.init(FrameDetector(detector), frameRate: frameRate, options: options)
  }

  init(_ detector: FrameDetector, frameRate: Double?, options: FrameSession.Options) throws(FoveaError) {
    try options.check()
    tracker = try ObjectTracker(detector, frameRate: frameRate, options: options.tracking)
    background = options.detectsInBackground ? detector : nil
  }

  /// Processes the next frame.
  /// - Parameter frame: The frame; its number and time must be greater than in the previous one. A different
  ///   size or orientation restarts the tracking.
  /// - Returns: The frame with its objects.
  /// - Throws: The detector's error; the next frame can still be processed.
  package mutating func take(_ frame: VideoFrame) async throws(FoveaError) -> TrackedFrame {
    guard let background else { return try await tracker.track(frame) }
    let outcome = detection?.outcome
    let tracked: TrackedFrame
    if case .success(let found) = outcome {
      memory = found.memory
      tracked = try tracker.catchUp(found.result, with: frame)
    } else {
      tracked = try tracker.follow(frame)
    }
    if detection == nil || outcome != nil {
      tracker.remember()
      detection = BackgroundDetection(of: frame, by: background, memory: memory)
    }
    // Thrown only now, after the objects have moved with the frame and the detector has restarted.
    if case .failure(let error) = outcome { throw error }
    return tracked
  }

  /// Forgets all objects and restarts identities.
  package mutating func reset() {
    tracker.reset()
    detection = nil
    memory = StreamMemory()
  }
}
