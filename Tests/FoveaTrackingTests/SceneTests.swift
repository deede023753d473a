// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import FoveaTracking
import Testing

@Suite struct SceneTests {
  @Test("Two objects that cross keep their identities", arguments: [TrackerKind.fovea, .bytetrack, .ocsort])
  func crossing(_ kind: TrackerKind) throws {
    var tracker = try kind.makeTracker()
    var first: [Int?] = []
    for number in 0..<60 {
      let step = Double(number) * 8
      let answers = tracker.frame(number, [Scene.seen(100 + step, 200), Scene.seen(580 - step, 212)])
      let found = answers.compactMap(\.identity)
      #expect(Set(found).count == found.count)
      if number == 20 { first = answers.map(\.identity) }
      if number > 20 { #expect(answers.map(\.identity) == first) }
    }
    #expect(first.compactMap(\.self).count == 2)
  }

  @Test(
    "An object hidden for 0.9 seconds keeps its identity, and gets a new one after 1.2", arguments: [27, 36])
  func occlusion(hidden: Int) throws {
    var tracker = try Scene.stream()
    for number in 0..<30 { #expect(tracker.frame(number, [Scene.seen(200)])[0].identity == 0) }
    for number in 30..<30 + hidden { #expect(tracker.frame(number, []).isEmpty) }
    let back = tracker.frame(30 + hidden, [Scene.seen(200)])
    #expect(back[0].identity == (hidden < 30 ? 0 : 1))
  }

  @Test("In a stream the time limit is a second at any frame rate")
  func occlusionBySeconds() throws {
    for (seconds, identity) in [(0.9, 0), (1.0, 0), (1.2, 1)] {
      var tracker = try Scene.stream()
      _ = tracker.update([Scene.seen(200)], at: FrameTime(number: 0, seconds: 10))
      let back = tracker.update([Scene.seen(200)], at: FrameTime(number: 1, seconds: 10 + seconds))
      #expect(back[0].identity == identity)
    }
  }

  @Test("Weak detections extend an object, and start none")
  func lowScores() {
    var tracker = FoveaTracker()
    #expect(tracker.frame(0, [Scene.seen(200, score: 0.4)])[0].outcome == .unmatched)
    for number in 1..<4 { _ = tracker.frame(number, [Scene.seen(200)]) }
    for number in 4..<40 { #expect(tracker.frame(number, [Scene.seen(200, score: 0.3)])[0].identity == 1) }
    #expect(tracker.frame(40, [Scene.seen(200, score: 0.05)])[0].outcome == .refused)
    // A weak one does not restore a lost object; a confident one does.
    #expect(tracker.frame(41, [Scene.seen(200, score: 0.3)])[0].outcome == .unmatched)
    #expect(tracker.frame(42, [Scene.seen(200)])[0].identity == 1)
  }

  @Test("Frames without detections give no objects", arguments: TrackerKind.allCases)
  func emptyFrames(_ kind: TrackerKind) throws {
    var tracker = try kind.makeTracker()
    for number in 0..<100 { #expect(tracker.frame(number, []).isEmpty) }
    for number in 100..<110 { _ = tracker.frame(number, [Scene.seen(100)]) }
    #expect(tracker.frame(110, [Scene.seen(100)])[0].identity == 1)
  }

  @Test("Two trackers have their own identities, and a copy is independent")
  func sideBySide() throws {
    var first = try Scene.stream()
    var second = try Scene.stream()
    #expect(first.frame(0, [Scene.seen(100)])[0].identity == 0)
    #expect(second.frame(0, [Scene.seen(100)])[0].identity == 0)
    var copy = first
    #expect(first.frame(1, [Scene.seen(100), Scene.seen(500)]).map(\.identity) == [0, 1])
    #expect(copy.frame(1, [Scene.seen(500)]).map(\.identity) == [1])
    #expect(second.frame(1, [Scene.seen(100)])[0].identity == 0)
  }

  @Test("A reset restores the initial state", arguments: TrackerKind.allCases)
  func reset(_ kind: TrackerKind) throws {
    var tracker = try kind.makeTracker()
    let first = (0..<40).map { tracker.frame($0, Scene.walk($0)) }
    tracker.reset()
    #expect((0..<40).map { tracker.frame($0, Scene.walk($0)) } == first)
    #expect(first.contains { $0.contains { $0.identity != nil } })
  }

  @Test("The order of the detections has no effect", arguments: TrackerKind.allCases)
  func permuted(_ kind: TrackerKind) throws {
    var generator = SeededGenerator(seed: 1)
    var plain = try kind.makeTracker()
    var shuffled = plain
    for number in 0..<60 {
      // Scores in whole tenths cause ties.
      let detections = Scene.walk(number).map {
        TrackingDetection(box: $0.box, score: ($0.score * 10).rounded() / 10)
      }
      let order = detections.indices.shuffled(using: &generator)
      let answers = plain.frame(number, detections)
      let others = shuffled.frame(number, order.map { detections[$0] })
      for (place, index) in order.enumerated() { #expect(others[place] == answers[index]) }
    }
  }

  @Test("Six objects that a jerk of the camera shifts by 0.8 of their width keep their identities")
  func cameraShake() {
    var tracker = FoveaTracker()
    var before: [Int?] = []
    for number in 0..<40 {
      let jerk = number == 30 ? 32.0 : 0
      let answers = tracker.frame(number, (0..<6).map { Scene.seen(100 + Double($0) * 90 + jerk) })
      if number == 20 { before = answers.map(\.identity) }
      if number > 20 { #expect(answers.map(\.identity) == before) }
    }
    #expect(before.compactMap(\.self).count == 6)
  }

  @Test("A given camera motion moves unseen objects; an impossible one is ignored")
  func givenCameraMotion() throws {
    for (motion, identity) in [
      (CameraMotion(dx: 300), 0), (CameraMotion(dx: .nan), 1), (CameraMotion(a: 0, d: 0, dx: 300), 1),
    ] {
      var tracker = try Scene.stream()
      for number in 0..<5 { _ = tracker.frame(number, [Scene.seen(200)]) }
      _ = tracker.update([], at: FrameTime(number: 5), cameraMotion: motion)
      #expect(tracker.frame(6, [Scene.seen(500)])[0].identity == identity)
    }
  }

  @Test("Duplicates of one object with an IoU of 0.7 never get two identities")
  func doubles() throws {
    var tracker = try Scene.stream()
    for number in 0..<50 {
      // 40 pixels wide and 7 apart: 33 / 47.
      let answers = tracker.frame(number, [Scene.seen(200, score: 0.9), Scene.seen(207, score: 0.8)])
      #expect(answers.compactMap(\.identity) == [0])
      #expect(answers[1].outcome == .unmatched)
    }
  }

  @Test("Motion continues over dropped frames")
  func droppedFrames() throws {
    var tracker = try Scene.stream()
    for number in 0..<20 { _ = tracker.frame(number, [Scene.seen(100 + Double(number) * 6)]) }
    // Ten frames later it is 60 pixels further, without overlap with its last box.
    #expect(tracker.frame(29, [Scene.seen(100 + 29 * 6)])[0].identity == 0)
  }

  @Test("Frames that repeat, go back or leap only end memory", arguments: TrackerKind.allCases)
  func oddTimes(_ kind: TrackerKind) throws {
    var tracker = try kind.makeTracker()
    for number in [5, 5, 5, 5, 4, 3, 2, 1] { _ = tracker.frame(number, [Scene.seen(100)]) }
    #expect(tracker.frame(0, [Scene.seen(100)])[0].identity == 1)
    for number in [Int.max, Int.min, 0, Int.max, 3_000_000] {
      #expect(tracker.frame(number, [Scene.seen(100)]).count == 1)
    }
    let odd = FrameTime(number: 3_000_001, seconds: .nan)
    #expect(tracker.update([Scene.seen(100)], at: odd).count == 1)
  }

  @Test("At most three objects of five are followed, always the same ones")
  func objectLimit() throws {
    var tracker = try Scene.stream(objectLimit: 3)
    for number in 0..<20 {
      // Scores swap places; the tracked objects stay.
      let answers = tracker.frame(
        number,
        (0..<5).map { Scene.seen(100 + Double($0) * 200, score: 0.6 + Double((number + $0) % 5) / 20) })
      #expect(answers.compactMap(\.identity).sorted() == [0, 1, 2])
      #expect(answers.map { $0.identity != nil } == [false, false, true, true, true])
    }
  }

  @Test("The same input twice gives the same output", arguments: TrackerKind.allCases)
  func twice(_ kind: TrackerKind) throws {
    func run() throws -> [[TrackedDetection]] {
      var tracker = try kind.makeTracker()
      return (0..<80).map { tracker.frame($0, Scene.walk($0)) }
    }
    #expect(try run() == run())
  }
}
