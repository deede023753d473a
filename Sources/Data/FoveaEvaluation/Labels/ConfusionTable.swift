// SPDX-License-Identifier: Apache-2.0

/// How many photos of each class were answered as each class.
///
/// It holds what occurs alone: 10,000 classes have 100,000,000 pairs, and a photo has one.
package struct ConfusionTable: Sendable, Hashable {
  /// A class, and what its photos were answered as.
  package struct Pair: Sendable, Hashable {
    /// The class of the photos.
    package var given: Int
    /// The class that was answered; nil for no answer.
    package var answered: Int?
  }

  /// The photos of each pair that occurs.
  package private(set) var counts: [Pair: Int] = [:]

  /// Makes a table without photos.
  package init() {}

  /// Counts a photo.
  package mutating func add(given: Int, answered: Int?) {
    counts[Pair(given: given, answered: answered), default: 0] += 1
  }

  /// The photos of a pair.
  package subscript(given: Int, answered: Int?) -> Int {
    counts[Pair(given: given, answered: answered), default: 0]
  }

  /// How many photos were answered as each class; none for a class that was not answered.
  package var answerCounts: [Int: Int] {
    counts.reduce(into: [:]) { counts, cell in
      if let answered = cell.key.answered { counts[answered, default: 0] += cell.value }
    }
  }

  /// For each class that is taken for another one: which it is taken for most, of equal ones the first, and how often.
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
