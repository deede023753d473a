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
    var numbers = numbers
    #expect(Median.selecting(&numbers) == expected)
  }

  @Test("The median of many numbers is that of the sorted ones")
  func many() {
    var generator = SeededGenerator(seed: 3)
    for count in 1...64 {
      var numbers = (0..<count).map { _ in Float(generator.below(20)) }
      let sorted = numbers.sorted()
      #expect(Median.selecting(&numbers) == (sorted[count / 2] + sorted[(count - 1) / 2]) / 2)
    }
  }
}
