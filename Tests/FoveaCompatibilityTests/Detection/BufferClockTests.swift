// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCompatibility

/// Numbers and times of frames.
@Suite struct BufferClockTests {
  /// The timestamps of the buffers, and the resulting times.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let stamps: [Double?]
    let seconds: [Double]
  }

  static let step = 1.0 / 30

  static let cases = [
    Case(testDescription: "none", stamps: [], seconds: []),
    Case(testDescription: "rising", stamps: [5, 5.5, 9], seconds: [5, 5.5, 9]),
    Case(testDescription: "below zero", stamps: [-3, -2], seconds: [-3, -2]),
    Case(testDescription: "no times", stamps: [nil, nil], seconds: [step, 2 * step]),
    Case(testDescription: "all the same", stamps: [4, 4, 4], seconds: [4, 4 + step, 4 + 2 * step]),
    Case(
      testDescription: "a clip that starts again", stamps: [8, 0, 0.1], seconds: [8, 8 + step, 8 + 2 * step]),
    Case(testDescription: "not a number", stamps: [.nan, 1, .infinity], seconds: [step, 1, 1 + step]),
  ]

  @Test("Times rise for any times of the buffers", arguments: cases)
  func times(_ row: Case) {
    var clock = BufferClock()
    let times = row.stamps.map { clock.next($0) }
    #expect(times.map(\.number) == Array(0..<row.stamps.count).map { $0 + 1 })
    for (time, expected) in zip(times, row.seconds) { #expect(abs(time.seconds - expected) < 1e-9) }
  }
}
