// SPDX-License-Identifier: Apache-2.0

/// The number of photos, or of pixels of maps, of each class that were answered as each class.
///
/// It stores only pairs that occur: 10,000 classes have 100,000,000 pairs, and a photo has one.
package struct ConfusionTable: Sendable, Hashable {
  /// A class with the answer for its photos or pixels.
  package struct Pair: Sendable, Hashable {
    /// The class of the photos or pixels.
    package var given: Int
    /// The answered class; nil for no answer.
    package var answered: Int?
  }

  /// The number of photos or pixels of each pair that occurs.
  package private(set) var counts: [Pair: Int] = [:]

  /// Creates an empty table.
  package init() {}

  /// Counts a photo, or several photos or pixels.
  package mutating func add(given: Int, answered: Int?, count: Int = 1) {
    counts[Pair(given: given, answered: answered), default: 0] += count
  }

  /// Adds the counts of another table.
  package mutating func add(_ other: ConfusionTable) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// The number of photos or pixels of a pair.
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
