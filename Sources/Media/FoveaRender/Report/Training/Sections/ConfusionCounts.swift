// SPDX-License-Identifier: Apache-2.0

/// A confusion matrix without what cannot be, and what of it is shown.
struct ConfusionCounts {
  /// One class that was taken for another.
  typealias Pair = TrainingPage.Confusion.Cell

  /// How many classes have a row.
  static let shownLimit = 40

  /// How many classes there are.
  let classes: Int
  private let counts: [Pair: Int]
  private let totals: [Int: Int]
  /// Whether a photo has no answer.
  let hasUnanswered: Bool

  /// Takes the part of a matrix that belongs to classes.
  init(_ confusion: TrainingPage.Confusion, classes: Int) {
    self.classes = classes
    let known = 0..<classes
    // Negative counts are none, and sums of a million cells stay far below the largest number.
    let counts = confusion.photos
      .filter { known.contains($0.key.given) && $0.key.answered.map(known.contains) != false && $0.value > 0 }
      .mapValues { min($0, 1_000_000_000) }
    self.counts = counts
    totals = counts.reduce(into: [:]) { $0[$1.key.given, default: 0] += $1.value }
    hasUnanswered = counts.contains { $0.key.answered == nil }
  }

  /// The photos of a class that were given another one, or no answer.
  func count(_ pair: Pair) -> Int { counts[pair, default: 0] }

  /// All photos of a class.
  func total(_ given: Int) -> Int { totals[given, default: 0] }

  /// The photos of all classes.
  var total: Int { totals.values.reduce(0, +) }

  /// The classes that have a row, in their own order: all, or the most confused.
  var shown: [Int] {
    guard classes > Self.shownLimit else { return Array(0..<classes) }
    var confused = [Int](repeating: 0, count: classes)
    for (pair, count) in counts where pair.answered != pair.given {
      confused[pair.given] += count
      if let answered = pair.answered { confused[answered] += count }
    }
    return confused.indices.sorted { (confused[$1], $0) < (confused[$0], $1) }.prefix(Self.shownLimit)
      .sorted()
  }

  /// The most frequent confusions, at most `limit`.
  func pairs(limit: Int) -> [(pair: Pair, count: Int)] {
    let wrong = counts.filter { $0.key.answered != nil && $0.key.answered != $0.key.given }
      .map { (pair: $0.key, count: $0.value) }
    // The sort is stable in nothing but its keys, so the place is one of them.
    return Array(
      wrong.sorted {
        ($1.count, $0.pair.given, $0.pair.answered ?? 0) < ($0.count, $1.pair.given, $1.pair.answered ?? 0)
      }.prefix(limit))
  }
}

extension TrainingPage.Confusion.Cell {
  /// The name of the pair's photos inside the page.
  var id: String { "m-\(given)-" + (answered.map(String.init) ?? "none") }
}
