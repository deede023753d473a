// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct DurationUnitsTests {
  struct UnitsCase: Sendable, CustomTestStringConvertible {
    let duration: Duration
    let seconds: Double
    let milliseconds: Double
    let microseconds: Int64

    var testDescription: String { "\(duration)" }
  }

  @Test(arguments: [
    UnitsCase(duration: .zero, seconds: 0, milliseconds: 0, microseconds: 0),
    UnitsCase(duration: .nanoseconds(999), seconds: 999e-9, milliseconds: 0.000_999, microseconds: 0),
    UnitsCase(duration: .milliseconds(100), seconds: 0.1, milliseconds: 100, microseconds: 100_000),
    UnitsCase(duration: .seconds(2), seconds: 2, milliseconds: 2_000, microseconds: 2_000_000),
    UnitsCase(duration: .seconds(-1.5), seconds: -1.5, milliseconds: -1_500, microseconds: 0),
  ])
  func `a duration in seconds, milliseconds and whole microseconds`(row: UnitsCase) {
    #expect(abs(row.duration.seconds - row.seconds) < 1e-15)
    #expect(abs(row.duration.milliseconds - row.milliseconds) < 1e-12)
    #expect(row.duration.microseconds == row.microseconds)
  }

  @Test func `microseconds of a huge duration leave room for an addition in C`() {
    let huge = Duration(secondsComponent: .max, attosecondsComponent: 0)
    #expect(huge.microseconds == Int64.max / 2)
    #expect((Duration.zero - huge).microseconds == 0)
  }
}
