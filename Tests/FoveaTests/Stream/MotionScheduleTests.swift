// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Fovea

/// Frames ten times a second, from 0.
@Suite struct MotionScheduleTests {
  /// Returns the numbers of the processed frames.
  private static func processed(
    of frames: Int, motion: (Int) -> Bool, tracks: (Int) -> [Track] = { _ in [] },
    seconds: (Int) -> Double = { Double($0) / 10 }
  ) -> [Int] {
    var schedule = MotionSchedule()
    return (0..<frames).filter { number in
      let step = schedule.step(hasMotion: motion(number), at: seconds(number))
      if step != .skip { schedule.note(tracks(number), isDetected: true) }
      return step != .skip
    }
  }

  /// Returns an object that was detected often enough.
  private static func track(at x: Double = 100, hits: Int = 9, _ state: TrackState = .tracked) -> [Track] {
    var tracker = FoveaTracker()
    _ = tracker.update(
      [TrackingDetection(box: Scripted.box(x, 100), score: 0.9)], at: FrameTime(number: 1))
    return tracker.tracks.map { track in
      var track = track
      (track.hits, track.state) = (hits, state)
      return track
    }
  }

  @Test func `an empty scene is processed for a second, and then every five seconds`() {
    let frames = Self.processed(of: 120, motion: { $0 == 0 })
    #expect(frames == Array(0...9) + [59, 109])
  }

  @Test func `frames are processed from motion until half a second after it`() {
    let frames = Self.processed(of: 80, motion: { (20...24).contains($0) })
    #expect(frames == Array(0...9) + Array(20...29) + [79])
  }

  @Test func `a still object is found every two seconds`() {
    let frames = Self.processed(of: 60, motion: { _ in false }, tracks: { _ in Self.track() })
    #expect(frames == Array(0...9) + [29, 49])
  }

  @Test func `frames are processed until an object is certain and still`() {
    let moving = Self.processed(
      of: 40, motion: { _ in false }, tracks: { Self.track(at: Double(min($0, 20) * 10)) })
    #expect(moving == Array(0...25))
    let new = Self.processed(
      of: 60, motion: { _ in false }, tracks: { Self.track(hits: $0 < 16 ? 2 : 3) })
    #expect(new == Array(0...21) + [41])
  }

  @Test(arguments: [
    (hits: 1, state: TrackState.tentative, step: MotionSchedule.Step.confirm), (2, .tentative, .confirm),
    (2, .tracked, .confirm), (3, .tracked, .process), (2, .lost, .process),
  ])
  func `the detector runs on each frame while an object is new`(
    _ row: (hits: Int, state: TrackState, step: MotionSchedule.Step)
  ) {
    var schedule = MotionSchedule()
    #expect(schedule.step(hasMotion: false, at: 0) == .process)
    schedule.note(Self.track(hits: row.hits, row.state) + Self.track(at: 300), isDetected: true)
    #expect(schedule.step(hasMotion: true, at: 0.1) == row.step)
    // Also in a frame without motion, and until it is certain or was missed.
    schedule.note(Self.track(hits: row.hits, row.state), isDetected: false)
    #expect(schedule.step(hasMotion: false, at: 1.5) == row.step)
    schedule.note([], isDetected: true)
    #expect(schedule.step(hasMotion: true, at: 1.6) == .process)
  }

  @Test func `an object that was missed is searched until it is given up`() {
    let frames = Self.processed(of: 90, motion: { _ in false }) { number in
      number > 33 ? [] : Self.track(number > 28 ? .lost : .tracked)
    }
    #expect(frames == Array(0...9) + Array(29...34) + [84])
  }

  @Test(arguments: [(every: 1_000, isOff: true), (every: 10, isOff: false)])
  func `after a minute that was full of motion, no frame of the next is skipped`(
    _ row: (every: Int, isOff: Bool)
  ) {
    let frames = Self.processed(of: 1_240, motion: { $0 < 600 && $0 % row.every != 1 })
    #expect(frames.prefix(600) == ArraySlice(0..<600))
    #expect(frames.count { (610..<640).contains($0) } == (row.isOff ? 30 : 0))
    #expect(frames.allSatisfy { $0 < 1_210 || $0 > 1_240 } || !row.isOff)
  }

  @Test func `a source that was away for an hour is not full of motion`() {
    let frames = Self.processed(
      of: 60, motion: { $0 == 30 }, seconds: { Double($0) / 10 + ($0 < 30 ? 0 : 3_600) })
    #expect(frames == Array(0...9) + Array(30...35))
  }
}
