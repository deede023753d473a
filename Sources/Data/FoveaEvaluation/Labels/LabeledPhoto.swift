// SPDX-License-Identifier: Apache-2.0

/// A photo with what it shows, and what a classifier answered.
package struct LabeledPhoto: Sendable, Hashable {
  /// A class that was answered, with its score.
  package struct Answer: Sendable, Hashable {
    /// The class, counted from 0.
    package let classIndex: Int32
    /// 0…1.
    package let score: Float

    /// Makes an answer.
    package init(_ classIndex: Int, _ score: Float) {
      self.classIndex = Int32(classIndex)
      self.score = score
    }
  }

  /// The classes that it shows: one, or any number where photos have several labels.
  package let given: [Int]
  /// The answers, the highest score first, of equal ones the lowest class; a class without an answer has the score 0.
  package let answers: [Answer]

  /// Takes answers in any order.
  /// - Parameters:
  ///   - given: The classes that it shows, counted from 0.
  ///   - answers: Classes with scores 0…1. One with the score 0 is none; of several for one class the highest counts.
  package init(given: [Int], answers: [Answer]) {
    self.given = given
    var seen: Set<Int32> = []
    let sorted = answers.filter { $0.score > 0 }
      .sorted { ($1.score, $0.classIndex) < ($0.score, $1.classIndex) }
    self.answers = sorted.filter { seen.insert($0.classIndex).inserted }
  }
}
