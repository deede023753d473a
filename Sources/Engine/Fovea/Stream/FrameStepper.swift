// SPDX-License-Identifier: Apache-2.0

package import FoveaImage

/// Takes frames one after the other, as a `FrameSession` does, for callers that want each frame's own result.
///
/// A value with one owner, like `ObjectTracker`.
package struct FrameStepper: Sendable {
  private var tracker: ObjectTracker
  /// The detector that works in the background; nil where each frame waits for it.
  private let background: FrameDetector?
  private var detection: BackgroundDetection?
  /// What the detector in the background remembers.
  private var memory = StreamMemory()

  /// Makes a stepper.
  /// - Throws: `option-invalid` or `invalid-parameter` for an option out of its range.
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

  /// Takes the next frame.
  /// - Parameter frame: Its number and time are larger than those of the one before; one of another size or orientation
  ///   begins again.
  /// - Returns: The frame with its objects.
  /// - Throws: What the detector throws; the next frame can be taken anyway.
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
    // Said only now, so that the objects have moved on with the frame and the detector looks again.
    if case .failure(let error) = outcome { throw error }
    return tracked
  }

  /// Forgets every object and begins with the first identity again.
  package mutating func reset() {
    tracker.reset()
    detection = nil
    memory = StreamMemory()
  }
}
