// SPDX-License-Identifier: Apache-2.0

import FoveaTracking

/// Decides in which frames of a fixed camera objects are looked for: while something moves, and once in a
/// while.
struct MotionSchedule: Sendable {
  /// The treatment of a frame.
  enum Step: Sendable, Hashable {
    /// The frame is processed as without a schedule.
    case process
    /// The detector runs, whether it is due or not: an object is new, and needs a few runs to be certain.
    case confirm
    /// The detector runs, although nothing moves.
    case sweep
    /// The frame is not processed: objects are where they were.
    case skip
  }

  /// The time that is processed at the start of a source, in seconds.
  private static let start = 1.0
  /// The time that is processed after motion, in seconds.
  private static let afterMotion = 0.5
  /// The time from the last motion of an object until it is still, in seconds.
  private static let stillAfter = 0.5
  /// The detections that an object needs before frames are skipped.
  private static let leastHits = 3
  /// The longest time between two runs of the detector if no object is known, in seconds.
  private static let emptySweep = 5.0
  /// The same while objects are known.
  private static let stillSweep = 2.0
  /// The time after which the share of motion is considered, in seconds.
  private static let period = 60.0
  /// The share of motion from which skipping is not worth its risk.
  private static let busyShare = 0.95
  /// The longest step between two frames that counts for the share, in seconds: a source that was away does
  /// not move.
  private static let longestStep = 1.0
  /// The error of differences of frame times, in seconds.
  private static let rounding = 1e-6

  private var first: Double?
  private var now = 0.0
  private var lastMotion = -Double.infinity
  private var lastDetection = -Double.infinity
  private var feet: [Int: StillFoot] = [:]
  /// True while an object is new, moving or missed.
  private var isUnsettled = false
  /// True while an object is new.
  private var hasNew = false
  private var watched = 0.0
  private var moving = 0.0
  /// True after a period that was full of motion, as that of a moving camera.
  private var isOff = false

  /// Decides the treatment of the next frame.
  /// - Parameters:
  ///   - hasMotion: True if the frame has motion.
  ///   - time: The time of the frame in seconds, not before the previous one.
  /// - Returns: The treatment.
  mutating func step(hasMotion: Bool, at time: Double) -> Step {
    let first = self.first ?? time
    count(min(time - (self.first == nil ? time : now), Self.longestStep), hasMotion)
    (self.first, now) = (first, time)
    if hasMotion { lastMotion = time }
    let isAwake =
      isOff || isUnsettled || time - first < Self.start - Self.rounding
      || time - lastMotion <= Self.afterMotion + Self.rounding
    guard !isAwake else { return hasNew ? .confirm : .process }
    let pause = feet.isEmpty ? Self.emptySweep : Self.stillSweep
    return time - lastDetection < pause - Self.rounding ? .skip : .sweep
  }

  /// Notes the objects after a frame was processed.
  /// - Parameters:
  ///   - tracks: All objects that the tracker knows.
  ///   - isDetected: True if the detector ran.
  mutating func note(_ tracks: [Track], isDetected: Bool) {
    if isDetected { lastDetection = now }
    var known: [Int: StillFoot] = [:]
    isUnsettled = false
    hasNew = tracks.contains { $0.state != .lost && $0.hits < Self.leastHits }
    for track in tracks {
      guard let identity = track.identity, track.state == .tracked, track.hits >= Self.leastHits else {
        isUnsettled = true
        continue
      }
      var foot = feet[identity] ?? StillFoot(track.box, at: now, stillAfter: Self.stillAfter)
      foot.move(to: track.box, at: now)
      if !foot.isStill { isUnsettled = true }
      known[identity] = foot
    }
    feet = known
  }

  private mutating func count(_ elapsed: Double, _ hasMotion: Bool) {
    watched += elapsed
    if hasMotion { moving += elapsed }
    guard watched >= Self.period else { return }
    isOff = moving >= Self.busyShare * watched
    (watched, moving) = (0, 0)
  }
}
