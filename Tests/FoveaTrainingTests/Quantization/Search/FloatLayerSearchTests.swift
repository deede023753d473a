// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaTraining

@Suite struct FloatLayerSearchTests {
  @Test(
    arguments: [
      // Nothing is noisy: the attempts begin with no float layer.
      ([0.01, 0.02], 20, [0, 1, 2]),
      // The two noisiest leave 0.04.
      ([0.3, 0.01, 0.2, 0.03], 20, [2, 3, 4]),
      ([0.3, 0.01, 0.2, 0.03], 1, [1]),
      ([0.3, 0.2], 0, [0]),
      ([], 20, [0]),
      ([Double](repeating: 0.001, count: 40), 20, [0, 1, 2, 3, 5, 8, 12, 20]),
      ([Double](repeating: 0.001, count: 40), 10_000, [0, 1, 2, 3, 5, 8, 12, 20, 32, 40]),
      ([Double](repeating: 0.1, count: 33), 28, [28]),
    ] as [([Double], Int, [Int])])
  func `the noisiest layers stay float until the rest is quiet, then more`(
    noise: [Double], limit: Int, attempts: [Int]
  ) {
    let search = FloatLayerSearch(Array(noise.indices), noise: noise, kept: [], limit: limit)
    #expect(search.attempts == attempts)
  }

  @Test func `layers are taken from the noisiest, of equal ones the first, besides those that are kept`() {
    let search = FloatLayerSearch([4, 7, 9, 11], noise: [0.1, 0.2, 0.2, 0.3], kept: [11], limit: 20)
    #expect(search.float(0) == [11])
    #expect(search.float(1) == [11, 7])
    #expect(search.float(2) == [11, 7, 9])
  }

  @Test(
    arguments: [
      (0, 5, []), (3, 5, [0, 1, 2]), (10, 5, [0, 2, 4, 6, 8]), (7, 3, [0, 2, 4]),
    ] as [(Int, Int, [Int])])
  func `elements are chosen at even distances`(count: Int, most: Int, chosen: [Int]) {
    #expect(EvenChoice.of(Array(0..<count), most) == chosen)
  }
}
