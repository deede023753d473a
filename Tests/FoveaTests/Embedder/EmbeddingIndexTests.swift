// SPDX-License-Identifier: Apache-2.0

import Fovea
import Testing

@Suite struct EmbeddingIndexTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var vectors: [[Float]] = [[1, 0], [0, 2], [1, 1], [-1, 0], [3, 0]]
    var query: [Float] = [2, 0]
    var limit: Int?
    var least: Float = -1
    var excluded: Set<Int> = []
    var matches: [Int]
  }

  static let rows = [
    Row(testDescription: "all, and the first of a tie", matches: [0, 4, 2, 1, 3]),
    Row(testDescription: "the nearest", limit: 1, matches: [0]),
    Row(testDescription: "three", limit: 3, matches: [0, 4, 2]),
    Row(testDescription: "more than there are", limit: .max, matches: [0, 4, 2, 1, 3]),
    Row(testDescription: "near duplicates", least: 0.99, matches: [0, 4]),
    Row(testDescription: "none is near", query: [-1, -1], least: 0.9, matches: []),
    Row(testDescription: "without one", limit: 2, excluded: [0], matches: [4, 2]),
    Row(testDescription: "an empty index", vectors: [], matches: []),
    Row(testDescription: "no match wanted", limit: 0, matches: []),
  ]

  @Test(arguments: rows) func `the nearest embeddings are found`(_ row: Row) throws {
    var index = EmbeddingIndex(dimension: 2)
    for vector in row.vectors { try index.append(vector) }
    let found = try index.matches(
      of: row.query, limit: row.limit, atLeast: row.least, excluding: row.excluded)
    #expect(found.map(\.index) == row.matches)
    for match in found {
      let distance = ImageEmbedder.distance(row.query, row.vectors[match.index])
      #expect(abs(Double(match.similarity) - (1 - distance)) < 1e-6)
    }
  }

  @Test(arguments: [1, 15, 16, 17, 128]) func `every length is compared whole`(dimension: Int) throws {
    var index = EmbeddingIndex(dimension: dimension)
    var vectors: [[Float]] = []
    for row in 0..<300 {
      vectors.append((0..<dimension).map { Float((row * 31 + $0 * 17) % 101) - 49.5 })
      try index.append(vectors[row])
    }
    let found = try index.matches(of: vectors[7], limit: 20)
    let expected = vectors.map { 1 - ImageEmbedder.distance(vectors[7], $0) }
    #expect(found.count == 20 && abs(found[0].similarity - 1) < 1e-5)
    for match in found { #expect(abs(Double(match.similarity) - expected[match.index]) < 1e-5) }
    let worst = Double(found[19].similarity)
    #expect(expected.count { $0 > worst + 1e-5 } <= 20)
  }

  static let problems: [(vector: [Float], problem: EmbeddingIndex.Problem)] = [
    ([1], .length(1)), ([], .length(0)), ([1, 2, 3], .length(3)), ([1, .nan], .notFinite(1)),
    ([.infinity, 0], .notFinite(0)), ([0, 0], .zero),
  ]

  @Test(arguments: problems.indices) func `what has no direction is refused`(number: Int) throws {
    let row = Self.problems[number]
    var index = EmbeddingIndex(dimension: 2)
    #expect(throws: row.problem) { try index.append(row.vector) }
    #expect(index.count == 0)
    try index.append([1, 0])
    #expect(throws: row.problem) { try index.matches(of: row.vector) }
  }
}
