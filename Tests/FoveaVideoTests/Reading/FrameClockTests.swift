// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaVideo

struct ClockCase: CustomTestStringConvertible, Sendable {
  let id: String
  let times: [Double?]
  let expected: [Double]
  var repaired = 0
  var testDescription: String { id }

  static let all: [ClockCase] = [
    ClockCase(id: "no frame", times: [], expected: []),
    ClockCase(id: "one frame far from zero", times: [95_443.7], expected: [0]),
    ClockCase(id: "varying steps stay as they are", times: [1, 1.1, 1.4, 5], expected: [0, 0.1, 0.4, 4]),
    ClockCase(
      id: "a missing time is one step later", times: [1, nil, 1.2], expected: [0, 0.1, 0.2], repaired: 1),
    ClockCase(id: "no times at all", times: [nil, nil, nil], expected: [0, 0.1, 0.2], repaired: 2),
    ClockCase(id: "times that begin late", times: [nil, 7, 7.3], expected: [0, 0.1, 0.4]),
    ClockCase(
      id: "a tie moves a little", times: [0, 0.1, 0.1, 0.2], expected: [0, 0.1, 0.1001, 0.2], repaired: 1),
    ClockCase(
      id: "a short step back", times: [0, 0.5, 0.3, 0.6], expected: [0, 0.5, 0.5001, 0.6], repaired: 1),
    ClockCase(
      id: "counting begins again", times: [50, 50.1, 3, 3.1], expected: [0, 0.1, 0.2, 0.3], repaired: 1),
    ClockCase(id: "no number", times: [0, .nan, .infinity, 0.5], expected: [0, 0.1, 0.2, 0.5], repaired: 2),
    ClockCase(id: "negative times", times: [-2, -1.9], expected: [0, 0.1]),
  ]
}

@Suite struct FrameClockTests {
  @Test("Times rise strictly and are exact if the source's are", arguments: ClockCase.all)
  func times(_ clock: ClockCase) {
    var frames = FrameClock(frameRate: 10)
    let result = clock.times.map { frames.seconds($0) }
    #expect(result.count == clock.expected.count)
    for (time, expected) in zip(result, clock.expected) { #expect(abs(time - expected) < 1e-9) }
    #expect(frames.repaired == clock.repaired)
    #expect(zip(result, result.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("An invalid rate counts as 25 frames a second", arguments: [nil, 0, -1, Double.nan, .infinity])
  func rate(_ rate: Double?) { #expect(FrameClock(frameRate: rate).step == 0.04) }

  @Test("After a new connection time continues by the elapsed time")
  func restart() {
    var clock = FrameClock(frameRate: 10)
    _ = clock.seconds(5)
    _ = clock.seconds(5.1)
    clock.restart(after: 3)
    #expect(abs(clock.seconds(900) - 3.1) < 1e-9)
    #expect(abs(clock.seconds(900.1) - 3.2) < 1e-9)
  }

  @Test("A frame returned before is recognised by its time")
  func past() {
    var clock = FrameClock(frameRate: 10)
    #expect(!clock.isPast(0))
    for time in [5, 5.1, 5.2] { _ = clock.seconds(time) }
    #expect(clock.isPast(5.2) && clock.isPast(5) && !clock.isPast(5.3))
  }
}

@Suite struct BackoffTests {
  @Test("Waits double up to the limit, end after the attempts, and restart after a success")
  func waits() {
    var backoff = Backoff(first: .milliseconds(500), limit: .seconds(3), attempts: 5)
    let waits = (0..<6).map { _ in backoff.next() }
    #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(3), nil])
    backoff.reset()
    #expect(backoff.next() == .milliseconds(500))
    var none = Backoff(first: .seconds(1), limit: .seconds(1), attempts: 0)
    #expect(none.next() == nil)
    var many = Backoff(first: .seconds(1), limit: .seconds(30), attempts: 1000)
    for _ in 0..<999 { _ = many.next() }
    #expect(many.next() == .seconds(30))
  }
}
