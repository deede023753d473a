// SPDX-License-Identifier: Apache-2.0

/// The true classes of each photo, counted from 0: one class, or any number of them.
package enum Targets: Sendable, Equatable {
  /// One class per photo: the head ends in a softmax.
  case one([Int])
  /// Any number of classes per photo, even none, in any order: the head ends in a sigmoid per class.
  case several([[Int]])

  /// Whether a photo may have any number of classes.
  package var isSeveral: Bool {
    switch self {
    case .one: false
    case .several: true
    }
  }

  /// The number of photos.
  package var count: Int {
    switch self {
    case .one(let labels): labels.count
    case .several(let sets): sets.count
    }
  }

  /// Returns the number of photos of each class.
  package func counts(classCount: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: classCount)
    switch self {
    case .one(let labels): for label in labels { counts[label] += 1 }
    case .several(let sets): for label in sets.joined() { counts[label] += 1 }
    }
    return counts
  }

  /// Throws if the number of photos differs or a class is out of range.
  func check(photoCount: Int, classCount: Int) throws(LearningProblem) {
    guard count == photoCount else { throw .labels }
    switch self {
    case .one(let labels):
      guard classCount >= 2 else { throw .oneClass }
      guard labels.allSatisfy((0..<classCount).contains) else { throw .labels }
    case .several(let sets):
      guard classCount >= 1 else { throw .empty }
      guard sets.joined().allSatisfy((0..<classCount).contains) else { throw .labels }
    }
  }

  /// Returns the softmax regressions of a head: one over all classes, or one with two classes for each class.
  func problems(classCount: Int) -> [(labels: [Int], classCount: Int)] {
    switch self {
    case .one(let labels): return [(labels, classCount)]
    case .several(let sets):
      return (0..<classCount).map { index in (sets.map { $0.contains(index) ? 1 : 0 }, 2) }
    }
  }
}
