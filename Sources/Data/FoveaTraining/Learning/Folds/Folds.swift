// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Parts of a training set that are held out in turn, each with its share of every class.
///
/// Probable duplicates are in one part, so that no photo is used for both training and evaluation. The parts
/// are the same in every run.
package struct Folds: Sendable, Equatable {
  /// The part of each photo, from 0.
  package let fold: [Int]
  package let count: Int

  /// Distributes photos with one class each.
  /// - Parameters:
  ///   - labels: The class of each photo.
  ///   - groups: The group of each photo; photos of one group stay together. Nil if each photo is its own
  ///     group.
  ///   - count: The number of parts, at least 2; fewer if a class has fewer groups.
  ///   - seed: The seed of the order.
  /// - Throws: `LearningProblem.oneClass` for fewer than two classes, `.labels` if `groups` does not fit or a
  ///   class has fewer than two groups.
  package init(
    labels: [Int], groups: [Int]? = nil, count: Int = 5, seed: UInt64 = 0
  ) throws(LearningProblem) {
    let groups = groups ?? Array(labels.indices)
    guard groups.count == labels.count else { throw .labels }
    // A group has the class of its first photo.
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
        // The next class continues after this one, so that all parts have the same size.
        next = (next + 1) % self.count
      }
    }
    self.fold = fold
  }

  /// Distributes photos with any number of classes each.
  /// - Parameters:
  ///   - sets: The classes of each photo.
  ///   - classCount: The number of classes.
  ///   - groups: The group of each photo; photos of one group stay together. Nil if each photo is its own
  ///     group.
  ///   - count: The number of parts, at least 2; fewer if there are fewer groups. A class with a single group
  ///     is unknown to the head of the part that holds it out.
  ///   - seed: The seed of the order.
  /// - Throws: `LearningProblem.labels` if `groups` does not fit, a class is invalid, or groups are fewer
  ///   than two.
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

  /// Returns the photos of all parts but one, in their order.
  package func rows(without left: Int) -> [Int] { fold.indices.filter { fold[$0] != left } }

  /// Returns the photos of a part, in their order.
  package func rows(of part: Int) -> [Int] { fold.indices.filter { fold[$0] == part } }
}
