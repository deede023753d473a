// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaDecoding

@Suite struct LargestNumberTests {
  @Test(arguments: [0, 1, 7, 8, 9, 16, 23, 90])
  func `the largest number is found at any position, and what is no score is kept`(_ count: Int) {
    func largest(_ values: [Float], areLogits: Bool = false) -> Float {
      largestNumber(in: values, from: 0, count: values.count, areLogits: areLogits)
    }
    #expect(largest(Array(repeating: .nan, count: count)).isNaN == (count > 0))
    for place in 0..<count {
      var values = [Float](repeating: -3, count: count)
      values[place] = -2
      #expect(largest(values) == -2)
      values[place] = .nan
      #expect(largest(values).isNaN)
      values[place] = .infinity
      #expect(largest(values) == .infinity)
      values[place] = -.infinity
      #expect(largest(values).isNaN)
      #expect(largest(values, areLogits: true) == (count > 1 ? -3 : -.infinity))
    }
  }

  @Test(
    arguments: [
      ([0.25, 0.5, 0.75], 0, 2, 0.75), ([0.25, 0.75, 0.75], 0, 1, 0.75), ([0.75, 0.25, 0.5], 1, 2, 0.5),
      ([.infinity, 0.25, 0.5], 1, 1, .infinity), ([-.infinity, 0.25, 0.5], 1, 2, 0.5),
      ([0.25, .infinity, 0.5], 1, 1, .infinity),
      ([.nan, 0.25, 0.5], 1, 1, .nan), ([-.nan, 0.25, 0.5], 1, 1, .nan), ([0.5, 0.25, .nan], 1, 1, .nan),
      ([0.5, 0.25, .nan], 0, 0, .nan), ([.nan, .nan, .nan], 0, 0, .nan), ([.nan, -.infinity], 1, 1, .nan),
      ([0.5, -.infinity, -.infinity], 1, nil, nil), ([0.5], 1, nil, nil), ([], 0, nil, nil),
    ] as [([Float], Int, Int?, Float?)])
  func `the best score of a row is the first of equal ones, or a number that is no score`(
    _ row: [Float], _ first: Int, _ column: Int?, _ score: Float?
  ) {
    // Neighbours that do not count.
    func best(areLogits: Bool) -> (column: Int, score: Float)? {
      bestScore([.nan] + row + [.nan], from: 1, columns: row.count, first: first, areLogits: areLogits)
    }
    let found = best(areLogits: true)
    #expect(found?.column == column)
    #expect(found?.score == score || found?.score.isNaN == true && score?.isNaN == true)
    // No probability is minus infinity.
    guard row.contains(-.infinity) else { return }
    #expect(best(areLogits: false).map { $0.score.isNaN || $0.score == -.infinity } == true)
  }
}
