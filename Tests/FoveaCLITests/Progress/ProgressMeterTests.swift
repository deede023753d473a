// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCLI

@Suite struct ProgressMeterTests {
  static func meter(
    total: Int?, _ steps: [(done: Int, failed: Int, skipped: Int, seconds: Int)]
  ) -> ProgressMeter {
    var meter = ProgressMeter()
    meter.total = total
    for step in steps {
      meter.update(
        done: step.done, failed: step.failed, skipped: step.skipped, at: .seconds(step.seconds))
    }
    return meter
  }

  struct LineCase: CustomTestStringConvertible {
    var id: String
    var meter: ProgressMeter
    var width = 80
    var expected: String
    var testDescription: String { id }
  }

  @Test(arguments: [
    LineCase(id: "before anything", meter: meter(total: nil, []), expected: "0"),
    LineCase(
      id: "the total is not known yet", meter: meter(total: nil, [(20, 0, 0, 2)]),
      expected: "20  10.0 images/s"),
    LineCase(
      id: "half way", meter: meter(total: 1_204, [(602, 2, 0, 60)]),
      expected: "[===============               ]  602/1,204  10.0 images/s  ETA 1:00  2 failed"),
    LineCase(
      id: "skipped ones do not count as speed", meter: meter(total: 200, [(110, 0, 100, 1)]),
      expected: "[================              ]  110/200  10.0 images/s  ETA 0:09"),
    LineCase(
      id: "narrow", meter: meter(total: 200, [(100, 0, 0, 10)]), width: 30,
      expected: "100/200  10.0 images/s  ETA 0"),
    LineCase(
      id: "no room", meter: meter(total: 200, [(100, 0, 0, 10)]), width: 0, expected: ""),
    LineCase(
      id: "more than were counted", meter: meter(total: 5, [(10, 0, 0, 1)]),
      expected: "[==============================]  10/10  10.0 images/s"),
    LineCase(id: "an empty run", meter: meter(total: 0, [(0, 0, 0, 1)]), expected: "0/0"),
  ])
  func `the line shows progress and speed`(_ test: LineCase) {
    #expect(test.meter.line(width: test.width) == test.expected)
  }

  @Test func `the rate changes slowly`() {
    let meter = Self.meter(total: nil, [(10, 0, 0, 1), (40, 0, 0, 2)])
    // 10 + (1 − e^(−1/5)) · (30 − 10) = 13.6
    #expect(meter.line(width: 80) == "40  13.6 images/s")
  }

  @Test(arguments: [
    (0.0, "0:00"), (6.2, "0:07"), (59.5, "1:00"), (3_723, "1:02:03"), (1e9, "--:--"), (.infinity, "--:--"),
  ])
  func `a time reads like a clock`(_ seconds: Double, _ expected: String) {
    #expect(ProgressMeter.clock(seconds) == expected)
  }
}
