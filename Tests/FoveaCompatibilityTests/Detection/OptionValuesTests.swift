// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import FoveaCompatibility

/// ML Kit's interpretation of option values.
@Suite struct OptionValuesTests {
  @Test(
    "A threshold is a number of 0…1, and nothing else",
    arguments: [
      (nil, nil), (0, 0), (1, 1), (0.3, 0.3), (-0.0001, nil), (1.0001, nil), (.nan, nil), (.infinity, nil),
      (-.infinity, nil),
    ] as [(Double?, Float?)])
  func threshold(_ given: Double?, _ expected: Float?) {
    #expect(OptionValues.threshold(given.map { NSNumber(value: $0) }) == expected)
  }

  @Test(
    "A count is positive, or the default", arguments: [(1, 1), (300, 300), (0, 10), (-5, 10), (.min, 10)])
  func count(_ given: Int, _ expected: Int) { #expect(OptionValues.count(given, default: 10) == expected) }

  @Test("A count above the maximum is clamped", arguments: [(99, 99), (100, 100), (101, 100), (.max, 100)])
  func most(_ given: Int, _ expected: Int) {
    #expect(OptionValues.count(given, default: 10, most: 100) == expected)
  }

  @Test("Each coarse category is found by its name, and no other name")
  func categories() {
    for category in CoarseCategory.allCases { #expect(CoarseCategory(text: category.text) == category) }
    #expect(CoarseCategory(text: "") == nil)
    #expect(CoarseCategory(text: "food") == nil)
  }
}
