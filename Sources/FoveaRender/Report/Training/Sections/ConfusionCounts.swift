// SPDX-License-Identifier: Apache-2.0

/// A confusion matrix without gaps, and what of it is shown.
struct ConfusionCounts {
  /// One class that was taken for another.
  struct Pair: Hashable {
    var given: Int
    /// Nil for no answer.
    var answered: Int?

    /// The name of the pair's photos inside the page.
    var id: String { "m-\(given)-" + (answered.map(String.init) ?? "none") }
  }

  /// How many classes have a row.
  static let shownLimit = 40

  /// How many classes there are.
  let classes: Int
  private let counts: [[Int]]
  private let unanswered: [Int]
  /// Whether a photo has no answer.
  let hasUnanswered: Bool

  /// Takes the part of a matrix that belongs to classes.
  init(_ confusion: TrainingPage.Confusion, classes: Int) {
    self.classes = classes
    counts = confusion.counts.prefix(classes).map { Self.usable($0, classes) }
    unanswered = Self.usable(confusion.unanswered, classes)
    hasUnanswered = unanswered.contains { $0 > 0 }
  }

  /// Negative counts are none, and sums of a million cells stay far below the largest number.
  private static func usable(_ row: [Int], _ count: Int) -> [Int] {
    row.prefix(count).map { min(max($0, 0), 1_000_000_000) }
  }

  /// The photos of a class that were given another one, or no answer.
  func count(_ pair: Pair) -> Int {
    guard let answered = pair.answered else {
      return unanswered.indices.contains(pair.given) ? unanswered[pair.given] : 0
    }
    guard counts.indices.contains(pair.given), counts[pair.given].indices.contains(answered) else { return 0 }
    return counts[pair.given][answered]
  }

  /// All photos of a class.
  func total(_ given: Int) -> Int {
    let row = counts.indices.contains(given) ? counts[given] : []
    return row.reduce(count(Pair(given: given, answered: nil)), +)
  }

  /// The classes that have a row, in their own order: all, or the most confused.
  var shown: [Int] {
    guard classes > Self.shownLimit else { return Array(0..<classes) }
    var confused = (0..<classes).map { count(Pair(given: $0, answered: nil)) }
    for (given, row) in counts.enumerated() {
      for (answered, count) in row.enumerated() where answered != given {
        confused[given] += count
        confused[answered] += count
      }
    }
    return confused.indices.sorted { (confused[$1], $0) < (confused[$0], $1) }.prefix(Self.shownLimit)
      .sorted()
  }

  /// The most frequent confusions, at most `limit`.
  func pairs(limit: Int) -> [(pair: Pair, count: Int)] {
    var pairs: [(pair: Pair, count: Int)] = []
    for (given, row) in counts.enumerated() {
      for (answered, count) in row.enumerated() where answered != given && count > 0 {
        pairs.append((Pair(given: given, answered: answered), count))
      }
    }
    // The sort is stable in nothing but its keys, so the place is one of them.
    return Array(
      pairs.sorted {
        ($1.count, $0.pair.given, $0.pair.answered ?? 0) < ($0.count, $1.pair.given, $1.pair.answered ?? 0)
      }.prefix(limit))
  }
}
