// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// What a session does with each frame.
struct FrameLoop: Sendable {
  let newest: NewestFrame
  let handover: Handover<Result<TrackedFrame, FoveaError>>
  /// The detector that works in the background; nil where each frame waits for it.
  let detector: FrameDetector?

  /// Works until no more frames come, or nobody wants results any more.
  func run(_ tracker: ObjectTracker) async {
    var tracker = tracker
    var look: BackgroundLook?
    while let frame = await newest.take() {
      let result: Result<TrackedFrame, FoveaError>
      do throws(FoveaError) {
        if let detector {
          result = .success(try step(frame, &tracker, &look, detector))
        } else {
          result = .success(try await tracker.track(frame))
        }
      } catch {
        result = .failure(error.about(frame))
      }
      guard await handover.give(result) else { break }
    }
    handover.finish()
  }

  /// One frame with the detector in the background.
  private func step(
    _ frame: VideoFrame, _ tracker: inout ObjectTracker, _ look: inout BackgroundLook?,
    _ detector: FrameDetector
  ) throws(FoveaError) -> TrackedFrame {
    let outcome = look?.outcome
    let tracked =
      if case .success(let found) = outcome { try tracker.catchUp(found, with: frame) } else {
        try tracker.follow(frame)
      }
    if look == nil || outcome != nil {
      tracker.remember()
      look = BackgroundLook(at: frame, by: detector)
    }
    // Said only now, so that the objects have moved on with the frame and the detector looks again.
    if case .failure(let error) = outcome { throw error }
    return tracked
  }
}
