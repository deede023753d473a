// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaLearning

@Suite struct NearDuplicatesTests {
  /// A number that looks random, the same in each run.
  private static func bits(_ seed: Int) -> UInt64 {
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(seed)))
    return random.next()
  }

  /// Hashes that are neither near to each other nor those of unrelated photos: six bits each.
  private static func related(_ count: Int) -> [UInt64] {
    (0..<count).map { row in
      var places = Array(0..<64)
      var random = SplitMix64(seed: UInt64(row) + 77)
      random.shuffle(&places)
      return places.prefix(6).reduce(0) { $0 | 1 << UInt64($1) }
    }
  }

  private static func value(_ seed: Int) -> Float { Float(bits(seed) >> 40) / Float(1 << 23) - 1 }

  @Test func `a hash has a bit for each pixel that is darker than its right neighbour`() throws {
    #expect(DifferenceHash.of([UInt8](repeating: 7, count: 72)) == 0)
    #expect(DifferenceHash.of((0..<72).map { UInt8($0 % 9) }) == .max)
    var grey = [UInt8](repeating: 0, count: 72)
    grey[1] = 1
    #expect(DifferenceHash.of(grey) == 1 << 63)
    grey[71] = 9
    #expect(DifferenceHash.of(grey) == 0x8000_0000_0000_0001)
    #expect(DifferenceHash.of([1, 2]) == nil && DifferenceHash.of([]) == nil)
  }

  @Test func `hashes are near up to four bits apart, and what is near to something near is, too`() throws {
    let first: UInt64 = 0x0123_4567_89AB_CDEF
    let hashes = [
      first, ~first, first ^ 0b1111, first ^ 0b1111_1111, first ^ (0b11111 << 50), ~first ^ 1 << 63,
    ]
    let found = try NearDuplicates(hashes: hashes)
    #expect(found.groups == [0, 1, 0, 0, 4, 1] && found.found == [[0, 2, 3], [1, 5]])
    // Without the one between, the two ends are too far apart.
    #expect(try NearDuplicates(hashes: [first, first ^ 0b1111_1111]).found == [])
    #expect(try NearDuplicates(hashes: []).groups == [] && NearDuplicates(hashes: [5]).groups == [0])
  }

  @Test func `wherever four bits are, two hashes are near; five are not`() throws {
    for trial in 0..<300 {
      var places = Array(0..<64)
      var random = SplitMix64(seed: UInt64(trial))
      random.shuffle(&places)
      let hash = Self.bits(trial + 1000)
      let four = places.prefix(4).reduce(hash) { $0 ^ 1 << UInt64($1) }
      let five = places.prefix(5).reduce(hash) { $0 ^ 1 << UInt64($1) }
      #expect(try NearDuplicates(hashes: [four, hash]).groups == [0, 0], "\(trial)")
      #expect(try NearDuplicates(hashes: [hash, five]).groups == [0, 1], "\(trial)")
    }
  }

  @Test func `many hashes are joined as by comparing each with each`() throws {
    let hashes = (0..<400).map { row in
      Self.bits(row % 7 == 3 ? row - 1 : row) ^ (row % 7 == 3 ? Self.bits(row) & 0x8001_0001 : 0)
    }
    var sets = DisjointSets(count: hashes.count)
    for a in hashes.indices {
      for b in 0..<a where (hashes[a] ^ hashes[b]).nonzeroBitCount <= 4 { sets.join(a, b) }
    }
    let found = try NearDuplicates(hashes: hashes)
    #expect(found.groups == hashes.indices.map { sets.first(of: $0) } && found.found.count > 40)
  }

  @Test func `many features are joined as by comparing each with each`() throws {
    let rows = (0..<240).map { row -> [Float] in
      let other = row % 5 == 4 ? row - 1 : row
      return (0..<40).map {
        3 + Self.value(other * 40 + $0) + (other == row ? 0 : 0.3) * Self.value(-row * 40 - $0)
      }
    }
    let features = try FeatureMatrix(rows)
    let mean = (0..<40).map { column in rows.reduce(0) { $0 + Double($1[column]) } / 240 }
    let centred = rows.map { row in zip(row, mean).map { Double($0) - $1 } }
    func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    var sets = DisjointSets(count: 240)
    for a in 0..<240 {
      for b in 0..<a
      where dot(centred[a], centred[b])
        >= 0.95 * (dot(centred[a], centred[a]) * dot(centred[b], centred[b])).squareRoot()
      {
        sets.join(a, b)
      }
    }
    let hashes = Self.related(240)
    for a in 0..<240 {
      for b in 0..<a where (hashes[a] ^ hashes[b]).nonzeroBitCount <= 4 { sets.join(a, b) }
    }
    let found = try NearDuplicates(hashes: hashes, features: features)
    #expect(found.groups == (0..<240).map { sets.first(of: $0) })
    #expect((20...48).contains(found.found.count), "\(found.found.count)")
  }

  @Test func `features without a direction are near to none`() throws {
    let same = try FeatureMatrix([[Float]](repeating: [1, 2, 3], count: 4))
    #expect(try NearDuplicates(hashes: Self.related(4), features: same).found == [])
    let one = try FeatureMatrix([[1, 2]])
    #expect(try NearDuplicates(hashes: [1], features: one).groups == [0])
    let opposite = try FeatureMatrix([[1, 0], [-1, 0], [2, 0], [-2, 0.1]])
    let found = try NearDuplicates(hashes: Self.related(4), features: opposite)
    #expect(found.groups == [0, 1, 0, 1])
    // Photos that have nothing in common, to a model that sees little in them.
    let apart = try NearDuplicates(hashes: [0, 0, .max, 0xFFF], features: opposite)
    #expect(apart.groups == [0, 0, 2, 0])
  }

  @Test func `files with the same bytes are the same`() throws {
    let hashes = (0..<4).map { Self.bits($0) }
    #expect(try NearDuplicates(hashes: hashes, known: [9, 4, 9, 5]).groups == [0, 1, 0, 3])
    #expect(throws: LearningProblem.labels) { try NearDuplicates(hashes: hashes, known: [1]) }
    let few = try FeatureMatrix([[1, 2]])
    #expect(throws: LearningProblem.labels) { try NearDuplicates(hashes: hashes, features: few) }
  }
}
