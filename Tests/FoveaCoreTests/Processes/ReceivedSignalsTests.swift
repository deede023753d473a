// SPDX-License-Identifier: Apache-2.0
import FoveaCore
import Testing

@Suite struct ReceivedSignalsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The signals, and their times in milliseconds.
    let signals: [(number: Int32, time: Int64)]
    /// The codes to exit with at once; nil for a signal that the command handles itself.
    let ends: [Int32?]
    let code: Int32?
  }

  @Test(arguments: [
    Case(testDescription: "none", signals: [], ends: [], code: nil),
    Case(testDescription: "one", signals: [(SIGINT, 0)], ends: [nil], code: 130),
    Case(
      testDescription: "a wrapper sends it again", signals: [(SIGINT, 5), (SIGINT, 5), (SIGINT, 104)],
      ends: [nil, nil, nil], code: 130),
    Case(
      testDescription: "a second one", signals: [(SIGINT, 5), (SIGINT, 105)], ends: [nil, 130], code: 130),
    Case(
      testDescription: "another one", signals: [(SIGHUP, 1), (SIGTERM, 2), (SIGTERM, 900)],
      ends: [nil, nil, 143], code: 129),
    Case(testDescription: "SIGTERM", signals: [(SIGTERM, 0)], ends: [nil], code: 143),
  ])
  func `the first signal and its repetition are a request, a later one ends the process`(_ test: Case) {
    let received = ReceivedSignals()
    #expect(test.signals.map { received.receive($0.number, at: $0.time) } == test.ends)
    #expect(received.code == test.code)
  }
}
