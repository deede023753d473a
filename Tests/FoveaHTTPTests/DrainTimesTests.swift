// SPDX-License-Identifier: Apache-2.0
#if Server
import Testing

@testable import FoveaHTTP

@Suite struct DrainTimesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let delay: Double
    let drain: Double
    let answer: Double
    let cancellation: Double
    let end: Double
    var testDescription: String { "\(delay) s and \(drain) s" }
  }

  @Test(arguments: [
    Case(delay: 0, drain: 25, answer: 23, cancellation: 24, end: 25),
    Case(delay: 5, drain: 25, answer: 28, cancellation: 29, end: 30),
    Case(delay: 0, drain: 2, answer: 1, cancellation: 1.5, end: 2),
    Case(delay: 1, drain: 0, answer: 1, cancellation: 1, end: 1),
  ])
  func `calls may answer, and are cancelled, just before the drain ends`(row: Case) {
    let times = DrainTimes(delay: row.delay, drain: row.drain)
    #expect(times.answer == row.answer)
    #expect(times.cancellation == row.cancellation && times.end == row.end)
  }
}
#endif
