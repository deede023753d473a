// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import FoveaImage
import FoveaTracking

/// Finds motion in the images of a fixed camera, and decides which frames are processed.
struct MotionWatch: Sendable {
  private let isMasked: @Sendable (PixelPoint) -> Bool
  private var gate: MotionGate
  private var clock = EventClock()
  private var schedule = MotionSchedule()
  private var trackerClock = SkippingClock()
  /// The visible objects after the last processed frame.
  private var shown: [DetectedObject] = []

  /// Creates a watch.
  /// - Parameter masks: The areas in which motion does not count.
  init(masks: [ZoneCounter]) { self.init { point in masks.contains { $0.contains(point) } } }

  private init(_ isMasked: @escaping @Sendable (PixelPoint) -> Bool) {
    self.isMasked = isMasked
    gate = MotionGate(isMasked: isMasked)
  }

  /// Decides the treatment of the next frame.
  /// - Parameters:
  ///   - image: The image of the frame.
  ///   - seconds: The time of the frame; a step back, and a time that is not finite, count as no time.
  /// - Returns: The treatment.
  mutating func step(_ image: GreyPyramid, at seconds: Double) -> MotionSchedule.Step {
    let elapsed = clock.advance(to: seconds)
    let hasMotion = gate.update(image, elapsed: elapsed)
    return schedule.step(hasMotion: hasMotion, at: clock.now)
  }

  /// Skips a frame.
  /// - Returns: The objects, which are where they were.
  mutating func skip(_ frame: VideoFrame) -> [DetectedObject] {
    trackerClock.skip(frame)
    return shown
  }

  /// Returns the tracker's time of a frame that is processed.
  mutating func time(of frame: VideoFrame) -> FrameTime { trackerClock.time(of: frame) }

  /// Notes the objects after a frame was processed.
  /// - Parameters:
  ///   - tracks: All objects that the tracker knows.
  ///   - seen: The visible ones.
  ///   - isDetected: True if the detector ran.
  mutating func note(_ tracks: [Track], seen: [DetectedObject], isDetected: Bool) {
    schedule.note(tracks, isDetected: isDetected)
    shown = seen
  }

  /// Starts again, as before the first frame.
  mutating func restart() { self = MotionWatch(isMasked) }
}

/// The times of frames without those that were skipped, so that a tracker's objects do not age meanwhile.
struct SkippingClock: Sendable {
  private var last: FrameTime?
  private var skippedFrames = 0
  private var skippedSeconds = 0.0

  /// Skips the time from the previous frame to this one; a step back, and a time that is not finite, count as
  /// no time.
  mutating func skip(_ frame: VideoFrame) {
    if let last {
      skippedFrames &+= max(0, frame.number &- last.number)
      let step = frame.seconds - (last.seconds ?? frame.seconds)
      if step > 0, step.isFinite { skippedSeconds += step }
    }
    last = FrameTime(frame)
  }

  /// Returns the time of a frame that is not skipped: that of the frame itself if none was.
  mutating func time(of frame: VideoFrame) -> FrameTime {
    last = FrameTime(frame)
    return FrameTime(number: frame.number &- skippedFrames, seconds: frame.seconds - skippedSeconds)
  }
}
