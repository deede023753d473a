// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTracking
import Testing

@Suite struct MoveTests {
  private static func tracker() throws -> FoveaTracker {
    var tracker = try Scene.stream()
    for number in 0..<5 { _ = tracker.frame(number, [Scene.seen(200), Scene.seen(600)]) }
    return tracker
  }

  @Test("A box that moved with the image pulls its object along, and no other")
  func pulls() throws {
    var tracker = try Self.tracker()
    for number in 5..<15 {
      tracker.move(
        [MovedBox(identity: 0, box: Scene.box(200 + Double(number - 4) * 5))],
        at: FrameTime(number: number, seconds: Double(number) / 30))
    }
    try #require(tracker.tracks.count > 1)
    #expect(abs(tracker.tracks[0].box.midX - 250) < 5)
    #expect(abs(tracker.tracks[1].box.midX - 600) < 1e-6)
    #expect(tracker.frame(15, [Scene.seen(255), Scene.seen(600)]).map(\.identity) == [0, 1])
  }

  @Test("Moving starts, confirms and ends nothing")
  func changesNoLife() throws {
    var tracker = try Self.tracker()
    let before = tracker.tracks
    tracker.move(
      [
        MovedBox(identity: 7, box: Scene.box(900)), MovedBox(identity: 0, box: Scene.box(.nan)),
        MovedBox(identity: 1, box: Scene.box(600)),
      ], at: FrameTime(number: 5, seconds: 5.0 / 30))
    let after = tracker.tracks
    #expect(after.map(\.identity) == before.map(\.identity))
    #expect(after.map(\.state) == before.map(\.state))
    #expect(after.map(\.hits) == before.map(\.hits))
    #expect(after.map(\.score) == before.map(\.score))
    #expect(after.map(\.framesSinceSeen) == [1, 1])
  }

  @Test("Frames on which boxes only move count towards the second of memory")
  func memory() throws {
    var tracker = try Self.tracker()
    for number in 5..<50 { tracker.move([], at: FrameTime(number: number, seconds: Double(number) / 30)) }
    #expect(tracker.frame(50, [Scene.seen(200)])[0].identity == 2)
  }
}
