// SPDX-License-Identifier: Apache-2.0

import FoveaTraining
import Synchronization
import Testing

struct TurnTimerTests {
  /// A clock that only runs advance, and the order of the runs.
  private final class FakeClock: Sendable {
    private let state = Mutex<(time: Duration, runs: String)>((.zero, ""))
    var time: Duration { state.withLock { $0.time } }
    var runs: String { state.withLock { $0.runs } }
    func run(_ name: String, _ duration: Duration) {
      state.withLock {
        $0.time += duration
        $0.runs += name
      }
    }
  }

  @Test func `runs take turns after the warm-up, and a round repeats short runs`() {
    let clock = FakeClock()
    var timer = TurnTimer()
    timer.rounds = 2
    timer.warmUps = 1
    timer.leastRound = .milliseconds(4)
    timer.clock = { clock.time }
    let times = timer.times(
      { clock.run("a", .milliseconds(2)) }, { clock.run("b", .milliseconds(4)) })
    #expect(clock.runs == "ab" + "aab" + "aab")
    #expect(times == TurnTimer.Times(first: .milliseconds(2), second: .milliseconds(4)))
    #expect(times.ratio == 2)
  }

  @Test(arguments: [(3, 2), (4, 2.5), (1, 1)])
  func `the time of a run is the median of its rounds`(rounds: Int, milliseconds: Double) {
    let clock = FakeClock()
    var timer = TurnTimer()
    timer.rounds = rounds
    timer.warmUps = 0
    timer.leastRound = .nanoseconds(1)
    timer.clock = { clock.time }
    var length = 0
    let times = timer.times(
      {
        length += 1
        clock.run("a", .milliseconds(length))
      }, { clock.run("b", .milliseconds(1)) })
    #expect(times.first == .microseconds(Int(milliseconds * 1_000)))
  }

  @Test func `a clock that stands still ends the rounds, and has no ratio`() {
    var timer = TurnTimer()
    timer.rounds = 1
    timer.warmUps = 0
    timer.clock = { .zero }
    var count = 0
    let times = timer.times({ count += 1 }, {})
    #expect(count == 1_000)
    #expect(times.first == .zero)
    #expect(times.ratio == nil)
  }

  @Test func `the error of a run ends the measurement`() {
    struct Broken: Error {}
    #expect(throws: Broken.self) {
      try TurnTimer().times({ () throws(Broken) in throw Broken() }, { () throws(Broken) in })
    }
  }
}
