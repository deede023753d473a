// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct SampleRatioTests {
  /// mpmath at 40 digits: `loggamma(x + n) - loggamma(x)`.
  @Test(
    arguments: [
      (10_000.5, 3, 27.631471072184922), (0.2, 7, 5.4327842574575555), (19.5, 1_000, 6002.239807988441),
      (10_000, 1e9, 19723390960.494584626), (5, 0, 0),
    ] as [(Double, Double, Double)])
  func `the gamma function's increment is exact`(_ x: Double, _ n: Double, _ expected: Double) {
    #expect(abs(LogGamma.rise(from: x, by: n) - expected) <= 4e-15 * max(1, abs(expected)))
  }

  @Test func `looks without units change nothing`() {
    var test = SampleRatioTest()
    test.add([0, 0], weights: [1, 1])
    #expect(test.p == 1 && !test.isAlarm)
  }

  @Test func `a log without one arm is hidden soon`() {
    var test = SampleRatioTest()
    for _ in 0..<100 where !test.isAlarm { test.add([10, 0], weights: [1, 1]) }
    #expect(test.isAlarm)
  }

  @Test func `an alarm stays`() {
    var test = SampleRatioTest()
    test.add([6_000, 4_000], weights: [1, 1])
    let p = test.p
    #expect(test.isAlarm)
    for _ in 0..<50 { test.add([1_000, 1_000], weights: [1, 1]) }
    #expect(test.p == p)
  }

  @Test func `units of other weights are compared with those weights`() {
    var test = SampleRatioTest()
    test.add([5_000, 5_000], weights: [1, 1])
    test.add([9_000, 1_000], weights: [9, 1])
    #expect(!test.isAlarm && test.p > 0.5)
    var wrong = SampleRatioTest()
    wrong.add([5_000, 5_000], weights: [1, 1])
    wrong.add([9_000, 1_000], weights: [1, 1])
    #expect(wrong.isAlarm)
  }
}
