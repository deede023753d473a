// SPDX-License-Identifier: Apache-2.0
#if Server
import Testing

@testable import FoveaHTTP

@Suite struct EndingSignalsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The times of signals, in milliseconds.
    let times: [Int]
    let meanings: [EndingSignals.Meaning]
  }

  @Test(arguments: [
    Case(testDescription: "one", times: [0], meanings: [.drain]),
    Case(testDescription: "timeout sends two at once", times: [0, 0], meanings: [.drain, .repeated]),
    Case(testDescription: "within the echo", times: [0, 1, 99], meanings: [.drain, .repeated, .repeated]),
    Case(testDescription: "at the end of the echo", times: [0, 100], meanings: [.drain, .end]),
    Case(
      testDescription: "an echo, then a person", times: [0, 1, 2_000], meanings: [.drain, .repeated, .end]),
    Case(testDescription: "an hour later", times: [0, 3_600_000], meanings: [.drain, .end]),
  ])
  func `a signal right after the first counts as the same, and a later one ends at once`(_ test: Case) {
    var signals = EndingSignals()
    let start = ContinuousClock.now
    #expect(test.times.map { signals.meaning(at: start + .milliseconds($0)) } == test.meanings)
  }
}
#endif
