// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaFlow

@Suite struct MedianTests {
  @Test(
    "The median is the middle number, or the mean of the two in the middle",
    arguments: [
      ([3], 3), ([1, 2], 1.5), ([5, -1, 2], 2), ([4, 4, 4, 4], 4), ([9, 1, 8, 2], 5),
      ([-.infinity, 0, 7], 0),
    ] as [([Double], Double)])
  func median(numbers: [Double], expected: Double) {
    var sorted = numbers
    #expect(Median.sorting(&sorted) == expected)
    #expect(sorted == numbers.sorted())
    var selected = numbers.map { Float($0) }
    #expect(Median.selecting(&selected) == Float(expected))
  }

  @Test("Many numbers are sorted as by the standard library")
  func many() {
    var generator = SeededGenerator(seed: 3)
    for count in 1...64 {
      let numbers = (0..<count).map { _ in Double(generator.below(20)) }
      var sorted = numbers
      let median = Median.sorting(&sorted)
      #expect(sorted == numbers.sorted())
      var selected = numbers.map { Float($0) }
      #expect(Median.selecting(&selected) == Float(median))
    }
  }
}
