// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaDecoding

@Suite struct OneEuroFilterTests {
  static let plain = OneEuroFilter.Cutoffs(rest: 1, slope: 0.5, speed: 1)
  static let body = OneEuroFilter.Cutoffs(rest: 0.05, slope: 80, speed: 1)

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Each number, with the seconds since the one before.
    var numbers: [(Double, Double)]
    var cutoffs = OneEuroFilterTests.plain
    var scale = 1.0
    var filtered: [Double]
  }

  private static let steps = [(0, 0), (1, 0.1), (1, 0.1), (1, 0.05), (0, 0.2)] as [(Double, Double)]

  /// The formulas of the paper in Python; the speed is that of the unfiltered numbers.
  @Test(arguments: [
    Case(testDescription: "one number", numbers: [(7, 0)], filtered: [7]),
    Case(testDescription: "a number at rest", numbers: [(7, 0), (7, 0.1), (7, 3)], filtered: [7, 7, 7]),
    Case(
      testDescription: "steps in unequal times", numbers: steps,
      filtered: [0, 0.6479571695923358, 0.8516336971698342, 0.90712078703414, 0.25888188783823307]),
    Case(
      testDescription: "the same steps in the sizes of a body", numbers: steps, cutoffs: body,
      scale: 1.0 / 500,
      filtered: [0, 0.2954443519676043, 0.44507814980310423, 0.4984204385634107, 0.34092004096073847]),
  ])
  func `numbers are filtered by the formulas of the paper`(_ test: Case) {
    var filter = OneEuroFilter(test.numbers[0].0)
    var filtered = [filter.filtered]
    for (number, seconds) in test.numbers.dropFirst() {
      filter.take(number, after: seconds, scale: test.scale, test.cutoffs)
      filtered.append(filter.filtered)
    }
    #expect(zip(filtered, test.filtered).allSatisfy { abs($0 - $1) < 1e-12 }, "\(filtered)")
    #expect(filtered.count == test.filtered.count)
  }

  @Test(arguments: [0.001, 0.04, 1, 1e9])
  func `without a slope, a step passes by the share of its cutoff`(_ seconds: Double) {
    var filter = OneEuroFilter(2)
    filter.take(12, after: seconds, scale: 1, OneEuroFilter.Cutoffs(rest: 3, slope: 0, speed: 1))
    let share = 1 / (1 + 1 / (2 * Double.pi * 3 * seconds))
    #expect(abs(filter.filtered - (2 + 10 * share)) < 1e-9)
  }

  @Test func `a faster number is delayed less, and a negative speed like a positive one`() {
    func lag(_ speed: Double) -> Double {
      var filter = OneEuroFilter(0)
      var number = 0.0
      for _ in 0..<50 {
        number += speed / 30
        filter.take(number, after: 1.0 / 30, scale: 1, Self.body)
      }
      return (number - filter.filtered) / speed
    }
    #expect(lag(1) < lag(0.1) && lag(0.1) < lag(0.01))
    #expect(abs(lag(-1) - lag(1)) < 1e-12 && lag(1) > 0 && lag(1) < 1.0 / 30)
  }
}
