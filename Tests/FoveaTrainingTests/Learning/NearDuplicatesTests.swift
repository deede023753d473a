// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@testable import FoveaTraining

@Suite struct NearDuplicatesTests {
  /// A pseudorandom number, the same in each run.
  private static func bits(_ seed: Int) -> UInt64 {
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(seed)))
    return random.next()
  }

  private static let empty = DifferenceHash(rows: 0, columns: 0)

  private static func hash(_ seed: Int) -> DifferenceHash {
    DifferenceHash(rows: bits(seed), columns: bits(seed + 5_000) >> 1)
  }

  /// A hash that differs from another in this many bits, at pseudorandom positions.
  private static func changed(_ hash: DifferenceHash, _ count: Int, seed: Int) -> DifferenceHash {
    var places = Array(0..<DifferenceHash.bitCount)
    var random = SplitMix64(seed: UInt64(seed))
    random.shuffle(&places)
    return places.prefix(count).reduce(into: hash) { hash, place in
      if place < 64 { hash.rows ^= 1 << UInt64(place) } else { hash.columns ^= 1 << UInt64(place - 64) }
    }
  }

  /// Hashes that are neither near to each other nor those of unrelated photos: twelve bits each.
  private static func related(_ count: Int) -> [DifferenceHash] {
    (0..<count).map { changed(empty, 12, seed: $0 + 77) }
  }

  private static func value(_ seed: Int) -> Float { Float(bits(seed) >> 40) / Float(1 << 23) - 1 }

  @Test func `a hash has a bit for each pixel that is darker than its right or lower neighbour`() throws {
    #expect(DifferenceHash([UInt8](repeating: 7, count: 72)) == Self.empty)
    #expect(DifferenceHash((0..<72).map { UInt8($0 % 9) }) == DifferenceHash(rows: .max, columns: 0))
    #expect(DifferenceHash((0..<72).map { UInt8($0 / 9) }) == DifferenceHash(rows: 0, columns: .max >> 1))
    var grey = [UInt8](repeating: 0, count: 72)
    grey[1] = 1
    #expect(DifferenceHash(grey) == DifferenceHash(rows: 1 << 63, columns: 0))
    grey[71] = 9
    #expect(DifferenceHash(grey) == DifferenceHash(rows: 0x8000_0000_0000_0001, columns: 1))
    grey[9] = 1
    #expect(DifferenceHash(grey)?.columns == 1 << 62 | 1)
    #expect(DifferenceHash([1, 2]) == nil && DifferenceHash([]) == nil)
  }

  @Test func `hashes are near up to eight bits apart, and nearness is transitive`() throws {
    let first = Self.hash(1)
    let between = DifferenceHash(rows: first.rows ^ 0xF, columns: first.columns ^ 0xF)
    let far = DifferenceHash(rows: first.rows ^ 0xFF, columns: first.columns ^ 0xFF)
    let apart = DifferenceHash(rows: ~first.rows, columns: first.columns)
    let hashes = [
      first, apart, between, far, Self.changed(first, 40, seed: 3), Self.changed(apart, 1, seed: 4),
    ]
    let found = try NearDuplicates(hashes: hashes)
    #expect(found.groups == [0, 1, 0, 0, 4, 1] && found.found == [[0, 2, 3], [1, 5]])
    // Without the one in between, the two ends are too far apart.
    #expect(try NearDuplicates(hashes: [first, far]).found == [])
    #expect(try NearDuplicates(hashes: []).groups == [] && NearDuplicates(hashes: [first]).groups == [0])
  }

  @Test func `two hashes that differ in any eight bits are near; nine are not`() throws {
    for trial in 0..<300 {
      let hash = Self.hash(trial + 1_000)
      let (near, far) = (Self.changed(hash, 8, seed: trial), Self.changed(hash, 9, seed: trial))
      #expect(try NearDuplicates(hashes: [near, hash]).groups == [0, 0], "\(trial)")
      #expect(try NearDuplicates(hashes: [hash, far]).groups == [0, 1], "\(trial)")
    }
  }

  @Test func `many hashes are grouped as by comparing all pairs`() throws {
    let hashes = (0..<400).map { row in
      row % 7 == 3 ? Self.changed(Self.hash(row - 1), row % 12, seed: row) : Self.hash(row)
    }
    var sets = DisjointSets(count: hashes.count)
    for a in hashes.indices {
      for b in 0..<a where hashes[a].distance(to: hashes[b]) <= 8 { sets.join(a, b) }
    }
    let found = try NearDuplicates(hashes: hashes)
    #expect(found.groups == hashes.indices.map { sets.first(of: $0) } && found.found.count > 30)
  }

  @Test func `many features are grouped as by comparing all pairs`() throws {
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
      for b in 0..<a where hashes[a].distance(to: hashes[b]) <= 8 { sets.join(a, b) }
    }
    let found = try NearDuplicates(hashes: hashes, features: features)
    #expect(found.groups == (0..<240).map { sets.first(of: $0) })
    #expect((20...48).contains(found.found.count), "\(found.found.count)")
  }

  @Test func `features without a direction are near to none`() throws {
    let same = try FeatureMatrix([[Float]](repeating: [1, 2, 3], count: 4))
    #expect(try NearDuplicates(hashes: Self.related(4), features: same).found == [])
    let one = try FeatureMatrix([[1, 2]])
    #expect(try NearDuplicates(hashes: [Self.empty], features: one).groups == [0])
    let opposite = try FeatureMatrix([[1, 0], [-1, 0], [2, 0], [-2, 0.1]])
    let found = try NearDuplicates(hashes: Self.related(4), features: opposite)
    #expect(found.groups == [0, 1, 0, 1])
    // Photos without anything in common, to a model that sees little in them.
    let apart = try NearDuplicates(
      hashes: [Self.empty, Self.empty] + [127, 24].map { Self.changed(Self.empty, $0, seed: 5) },
      features: opposite)
    #expect(apart.groups == [0, 0, 2, 0])
  }

  @Test func `files with the same bytes are the same`() throws {
    let hashes = (0..<4).map { Self.hash($0) }
    #expect(try NearDuplicates(hashes: hashes, known: [9, 4, 9, 5]).groups == [0, 1, 0, 3])
    #expect(throws: LearningProblem.labels) { try NearDuplicates(hashes: hashes, known: [1]) }
    let few = try FeatureMatrix([[1, 2]])
    #expect(throws: LearningProblem.labels) { try NearDuplicates(hashes: hashes, features: few) }
  }
}
