// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Parts of a training set that take turns in being left out, each with its share of every class.
///
/// Photos that are probably the same are in one part, so that none is learned from that is asked about. The parts are the same
/// in every run.
package struct Folds: Sendable, Equatable {
  /// The part of each photo, from 0 on.
  package let fold: [Int]
  package let count: Int

  /// Deals photos out.
  /// - Parameters:
  ///   - labels: The class of each photo.
  ///   - groups: The group of each photo; photos of one group stay together. Nil where each is its own.
  ///   - count: How many parts, 2 or more; fewer where a class has fewer groups.
  ///   - seed: What the order of dealing depends on.
  /// - Throws: `LearningProblem.oneClass` for fewer than two classes, `.labels` where `groups` does not fit or a class has fewer
  ///   than two groups.
  package init(
    labels: [Int], groups: [Int]? = nil, count: Int = 5, seed: UInt64 = 0
  ) throws(LearningProblem) {
    let groups = groups ?? Array(labels.indices)
    guard groups.count == labels.count else { throw .labels }
    // A group belongs to the class of its first photo.
    var members: [Int: [Int]] = [:]
    for (row, group) in groups.enumerated() { members[group, default: []].append(row) }
    var classes: [Int: [[Int]]] = [:]
    for rows in members.values.sorted(by: { $0[0] < $1[0] }) {
      classes[labels[rows[0]], default: []].append(rows)
    }
    guard classes.count >= 2 else { throw .oneClass }
    let least = classes.values.map(\.count).min() ?? 0
    guard least >= 2 else { throw .labels }
    self.count = max(2, min(count, least))
    var fold = [Int](repeating: 0, count: labels.count)
    var next = 0
    for label in classes.keys.sorted() {
      var dealt = classes[label] ?? []
      var random = SplitMix64(seed: seed &+ UInt64(bitPattern: Int64(label)) &* 0x9E37_79B9_7F4A_7C15)
      random.shuffle(&dealt)
      for rows in dealt {
        for row in rows { fold[row] = next }
        // The next class goes on where this one ends, so that all parts are of a size.
        next = (next + 1) % self.count
      }
    }
    self.fold = fold
  }

  /// Deals photos out that have any number of classes each.
  /// - Parameters:
  ///   - sets: The classes of each photo.
  ///   - classCount: The number of classes.
  ///   - groups: The group of each photo; photos of one group stay together. Nil where each is its own.
  ///   - count: How many parts, 2 or more; fewer where there are fewer groups. A class that a single group has is not learned
  ///     by the part that leaves it out.
  ///   - seed: What the order of dealing depends on.
  /// - Throws: `LearningProblem.labels` where `groups` does not fit, a class is none, or there are fewer than two groups.
  package init(
    sets: [[Int]], classCount: Int, groups: [Int]? = nil, count: Int = 5, seed: UInt64 = 0
  ) throws(LearningProblem) {
    let groups = groups ?? Array(sets.indices)
    guard groups.count == sets.count, sets.joined().allSatisfy((0..<classCount).contains) else {
      throw .labels
    }
    var members: [Int: [Int]] = [:]
    for (row, group) in groups.enumerated() { members[group, default: []].append(row) }
    let units = members.values.sorted { $0[0] < $1[0] }.map { rows in
      (rows: rows, classes: Set(rows.flatMap { sets[$0] }).sorted())
    }
    guard units.count >= 2 else { throw .labels }
    self.count = max(2, min(count, units.count))
    var dealer = LabelDealer(units: units, classCount: classCount, count: self.count)
    var fold = [Int](repeating: 0, count: sets.count)
    for (unit, part) in zip(units, dealer.deal(seed: seed)) { for row in unit.rows { fold[row] = part } }
    self.fold = fold
  }

  /// The photos of all parts but one, in their order.
  package func rows(without left: Int) -> [Int] { fold.indices.filter { fold[$0] != left } }

  /// The photos of a part, in their order.
  package func rows(of part: Int) -> [Int] { fold.indices.filter { fold[$0] == part } }
}
