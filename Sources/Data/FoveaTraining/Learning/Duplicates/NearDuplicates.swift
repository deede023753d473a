// SPDX-License-Identifier: Apache-2.0

/// Photos that are probably the same: groups of near hashes and of features with the same direction.
///
/// Nearness is transitive: photos near to the same photo are in one group.
package struct NearDuplicates: Sendable, Equatable {
  /// The group of each photo, which is the number of its first photo: `[photos]`, as ``Folds`` expects.
  package let groups: [Int]

  /// The groups with more than one photo, in the order of their first photos.
  package var found: [[Int]] { NearDuplicates.members(of: groups) }

  /// Returns the groups of more than one photo, each with its photos in order, sorted by first photo.
  package static func members(of groups: [Int]) -> [[Int]] {
    var members: [Int: [Int]] = [:]
    for (row, group) in groups.enumerated() { members[group, default: []].append(row) }
    return members.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  /// Finds groups.
  /// - Parameters:
  ///   - hashes: The ``DifferenceHash`` of each photo; those at a distance of at most 8 bits are near.
  ///   - features: The features of each photo from the backbone. Rows whose cosine, after subtracting the
  ///     mean of all, is at least 0.95 are near if the hashes differ in at most 24 bits, because a weak
  ///     backbone gives many photos the same direction. Nil ignores features.
  ///   - known: A number for each photo, equal for files with the same bytes; nil ignores it.
  /// - Throws: `LearningProblem.labels` if there are not as many features and numbers as hashes.
  /// - Complexity: Compares hashes that share a ninth of their bits, and features that a projection to 16
  ///   numbers does not separate: about a second for 10,000 photos.
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

  /// Hashes that differ in at most 8 bits share one of nine parts, so only those with a common part are
  /// compared.
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

/// Numbers in sets that can be joined; a set is identified by its least number.
struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  /// Returns the least number of the set that contains a number.
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
