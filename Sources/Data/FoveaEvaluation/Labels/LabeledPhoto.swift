// SPDX-License-Identifier: Apache-2.0

/// A photo with its given classes, and the answers of a classifier.
package struct LabeledPhoto: Sendable, Hashable {
  /// An answered class with its score.
  package struct Answer: Sendable, Hashable {
    /// The class, counted from 0.
    package let classIndex: Int32
    /// The score, 0…1.
    package let score: Float

    /// Creates an answer.
    package init(_ classIndex: Int, _ score: Float) {
      self.classIndex = Int32(classIndex)
      self.score = score
    }
  }

  /// The classes of the photo: one, or any number if photos have several labels.
  package let given: [Int]
  /// The answers, highest score first, of equal ones the lowest class; see ``isWhole`` for the other classes.
  package let answers: [Answer]
  /// If true, all classes without an answer have the score 0; otherwise scores may have been left out.
  package let isWhole: Bool

  /// Creates a photo from answers in any order.
  /// - Parameters:
  ///   - given: The classes of the photo, counted from 0.
  ///   - answers: Classes with scores 0…1. A score of 0 is not an answer; the highest of a class counts.
  ///   - isWhole: Whether all classes without an answer have the score 0.
  package init(given: [Int], answers: [Answer], isWhole: Bool = true) {
    (self.given, self.isWhole) = (given, isWhole)
    var seen: Set<Int32> = []
    let sorted = answers.filter { $0.score > 0 }
      .sorted { ($1.score, $0.classIndex) < ($0.score, $1.classIndex) }
    self.answers = sorted.filter { seen.insert($0.classIndex).inserted }
  }

  /// Whether the score of a given class is known.
  var hasKnownScore: Bool { isWhole || answers.contains { given.contains(Int($0.classIndex)) } }
}
