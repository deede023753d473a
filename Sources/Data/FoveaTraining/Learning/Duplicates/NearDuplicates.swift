// SPDX-License-Identifier: Apache-2.0

/// Photos that are probably the same: groups of near hashes and of features that point in one direction.
///
/// What is near to something near is in the same group.
package struct NearDuplicates: Sendable, Equatable {
  /// The group of each photo, which is the number of its first photo: `[photos]`, as ``Folds`` takes it.
  package let groups: [Int]

  /// The groups of more than one photo, each with its photos in their order, by their first photo.
  package var found: [[Int]] { NearDuplicates.members(of: groups) }

  /// The groups of more than one, each with its photos in their order, by their first photo.
  package static func members(of groups: [Int]) -> [[Int]] {
    var members: [Int: [Int]] = [:]
    for (row, group) in groups.enumerated() { members[group, default: []].append(row) }
    return members.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  /// Finds groups.
  /// - Parameters:
  ///   - hashes: The ``DifferenceHash`` of each photo; those at a distance of at most 8 bits are near.
  ///   - features: The features of each photo, as the backbone gives them; those whose cosine, after the mean of all is taken
  ///     off, is at least 0.95 are near, where the hashes differ in at most 24 bits: a model that sees little in photos gives many
  ///     of them one direction. Nil leaves them out.
  ///   - known: A number for each photo that is equal for files with the same bytes; nil leaves it out.
  /// - Throws: `LearningProblem.labels` where there are not so many features or numbers as hashes.
  /// - Complexity: Hashes are compared where they share a ninth of their bits, features where a projection to 16 numbers does not
  ///   separate them: about a second for 10,000 photos.
  package init(
    hashes: [DifferenceHash], features: FeatureMatrix? = nil, known: [Int]? = nil
  ) throws(LearningProblem) {
    var sets = DisjointSets(count: hashes.count)
    if let known {
      guard known.count == hashes.count else { throw .labels }
      NearDuplicates.join(equal: known, &sets)
    }
    NearDuplicates.join(near: hashes, &sets)
    if let features {
      guard features.rowCount == hashes.count else { throw .labels }
      NearDirections(features, hashes: hashes).join(&sets)
    }
    groups = (0..<hashes.count).map { sets.first(of: $0) }
  }

  private static func join(equal values: [some Hashable], _ sets: inout DisjointSets) {
    var first: [AnyHashable: Int] = [:]
    for (row, value) in values.enumerated() {
      if let other = first[AnyHashable(value)] {
        sets.join(other, row)
      } else {
        first[AnyHashable(value)] = row
      }
    }
  }

  /// Two hashes that differ in 8 bits are the same in one of nine parts, so only those with a part in common are compared.
  private static func join(near hashes: [DifferenceHash], _ sets: inout DisjointSets) {
    join(equal: hashes, &sets)
    let rows = hashes.indices.filter { sets.first(of: $0) == $0 || hashes[sets.first(of: $0)] != hashes[$0] }
    for part in 0...DifferenceHash.nearDistance {
      var buckets: [UInt64: [Int]] = [:]
      for row in rows {
        let key = hashes[row].part(part)
        for other in buckets[key, default: []]
        where hashes[row].distance(to: hashes[other]) <= DifferenceHash.nearDistance {
          sets.join(other, row)
        }
        buckets[key, default: []].append(row)
      }
    }
  }
}

/// Numbers in sets that can be joined; each set is known by its least number.
struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  /// The least number of the set that a number is in.
  mutating func first(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  mutating func join(_ first: Int, _ second: Int) {
    let (a, b) = (self.first(of: first), self.first(of: second))
    parents[max(a, b)] = min(a, b)
  }
}
