// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaTraining

@Suite struct FloatLayerSearchTests {
  /// Returns the sets that a search tries if each has an agreement.
  private static func sets(
    _ search: FloatLayerSearch, _ agreement: (Set<Int>) -> Double = { _ in 0 }
  ) -> [Set<Int>] {
    var search = search
    var sets: [Set<Int>] = []
    while let set = search.next(after: sets.last.map(agreement) ?? 0) { sets.append(set) }
    return sets
  }

  @Test(
    arguments: [
      // Nothing is noisy: the first set has no float layer.
      ([0.01, 0.02], 20, [0, 1, 2]),
      // The two noisiest leave 0.04.
      ([0.3, 0.01, 0.2, 0.03], 20, [2, 3, 4]),
      ([0.3, 0.01, 0.2, 0.03], 1, [1]),
      ([0.3, 0.2], 0, [0]),
      ([], 20, [0]),
      ([Double](repeating: 0.001, count: 40), 20, [0, 1, 2, 3, 5, 8, 12, 20]),
      ([Double](repeating: 0.001, count: 40), 10_000, [0, 1, 2, 3, 5, 8, 12, 20, 32, 40]),
      ([Double](repeating: 0.1, count: 33), 28, [28]),
      ([1e6, 1e6, 0.01], 20, [2, 3]),
    ] as [([Double], Int, [Int])])
  func `the noisiest layers stay float until the rest is quiet, then more`(
    noise: [Double], limit: Int, counts: [Int]
  ) {
    let search = FloatLayerSearch(Array(noise.indices), noise: noise, last: [], kept: [], limit: limit)
    #expect(Self.sets(search).map(\.count) == counts)
  }

  @Test func `layers are taken from the noisiest, of equal ones the first, besides those that are kept`() {
    let search = FloatLayerSearch(
      [4, 7, 9, 11], noise: [0.1, 0.2, 0.2, 0.02], last: [], kept: [11], limit: 2)
    #expect(Self.sets(search) == [[11, 7, 9]])
    let open = FloatLayerSearch(
      [4, 7, 9, 11], noise: [0.01, 0.02, 0.02, 0.3], last: [], kept: [11], limit: 20)
    #expect(Self.sets(open) == [[11], [11, 7], [11, 7, 9], [11, 7, 9, 4]])
  }

  @Test(
    arguments: [
      (5, [0, 1, 2, 3]), (4, [0, 1, 2]), (3, [0, 1, 2]), (2, [0, 1, 2]), (1, [0, 1]), (0, [0]),
      (20, [0, 1, 2, 3, 5, 6]),
    ] as [(Int, [Int])])
  func `layers that become float with others count to the limit`(limit: Int, counts: [Int]) {
    // From the third chosen layer on, two small ones become float, too.
    let search = FloatLayerSearch(
      [0, 1, 2, 3, 4, 5], noise: [Double](repeating: 0.001, count: 6), last: [], kept: [], limit: limit
    ) { $0.count + ($0.count > 2 ? 2 : 0) }
    let sets = Self.sets(search)
    #expect(sets.map(\.count) == counts)
  }

  struct Last: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var last: Set<Int> = [4]
    var limit = 20
    /// The agreement of sets with the last layers; others have 0.5.
    var agreement = 0.0
    let sets: [Set<Int>]
  }

  @Test(arguments: [
    Last(
      testDescription: "they help", agreement: 0.8,
      sets: [[1], [1, 4], [0, 1, 4], [0, 1, 2, 4], [0, 1, 2, 3, 4]]),
    Last(
      testDescription: "they do not", agreement: 0.5,
      sets: [[1], [1, 4], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4]]),
    Last(
      testDescription: "they are noisy already", last: [1],
      sets: [[1], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4]]),
    Last(testDescription: "they are too many", last: [2, 3, 4], limit: 3, sets: [[1], [0, 1], [0, 1, 2]]),
    Last(testDescription: "they are all that fits", limit: 2, agreement: 0.8, sets: [[1], [1, 4]]),
    Last(testDescription: "there are none", last: [], limit: 1, sets: [[1]]),
  ])
  func `the last layers are tried second, and stay float if that agrees better`(row: Last) {
    let search = FloatLayerSearch(
      [0, 1, 2, 3, 4], noise: [0.02, 0.3, 0.015, 0.01, 0.001], last: row.last, kept: [], limit: row.limit)
    #expect(Self.sets(search) { row.last.isSubset(of: $0) && $0.count < 3 ? row.agreement : 0.5 } == row.sets)
  }

  @Test(
    arguments: [
      (0, 5, []), (3, 5, [0, 1, 2]), (10, 5, [0, 2, 4, 6, 8]), (7, 3, [0, 2, 4]),
    ] as [(Int, Int, [Int])])
  func `elements are chosen at even distances`(count: Int, most: Int, chosen: [Int]) {
    #expect(EvenChoice.of(Array(0..<count), most) == chosen)
  }
}
