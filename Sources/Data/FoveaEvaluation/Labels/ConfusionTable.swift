// SPDX-License-Identifier: Apache-2.0

/// The number of photos of each class that were answered as each class.
///
/// It stores only pairs that occur: 10,000 classes have 100,000,000 pairs, and a photo has one.
package struct ConfusionTable: Sendable, Hashable {
  /// A class with the answer for its photos.
  package struct Pair: Sendable, Hashable {
    /// The class of the photos.
    package var given: Int
    /// The answered class; nil for no answer.
    package var answered: Int?
  }

  /// The number of photos of each pair that occurs.
  package private(set) var counts: [Pair: Int] = [:]

  /// Creates a table without photos.
  package init() {}

  /// Counts a photo.
  package mutating func add(given: Int, answered: Int?) {
    counts[Pair(given: given, answered: answered), default: 0] += 1
  }

  /// The number of photos of a pair.
  package subscript(given: Int, answered: Int?) -> Int {
    counts[Pair(given: given, answered: answered), default: 0]
  }

  /// The number of photos that were answered as each class, without classes that were never answered.
  package var answerCounts: [Int: Int] {
    counts.reduce(into: [:]) { counts, cell in
      if let answered = cell.key.answered { counts[answered, default: 0] += cell.value }
    }
  }

  /// For each class with wrong answers, the most frequent wrong class and its number of photos.
  package var mostFrequentMistakes: [Int: (answered: Int, count: Int)] {
    var found: [Int: (answered: Int, count: Int)] = [:]
    for (pair, count) in counts {
      guard let answered = pair.answered, answered != pair.given else { continue }
      if let known = found[pair.given], (known.count, answered) >= (count, known.answered) { continue }
      found[pair.given] = (answered, count)
    }
    return found
  }
}
