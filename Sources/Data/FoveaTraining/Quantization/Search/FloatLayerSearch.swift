// SPDX-License-Identifier: Apache-2.0

/// The sets of layers that are kept float one after the other, until the agreement suffices.
///
/// The first set has the noisiest layers. The second has the last layers, too: a range chosen for the many
/// large negative logits of a detector's background leaves few steps for the few that are objects, which
/// hardly counts as noise but decides all scores. If it agrees better, the last layers stay float in all
/// further sets, which have more and more of the noisiest layers, up to the most that may stay float together
/// with the layers that int8 does not make faster between them.
struct FloatLayerSearch: Sendable {
  /// The most noise that the layers in int8 may add before the first comparison.
  static let mostNoise = 0.05
  /// The numbers of further layers that are tried, up to the most layers of a graph.
  private static let further = [
    1, 2, 3, 5, 8, 12, 20, 32, 50, 80, 130, 200, 320, 500, 800, 1_300, 2_000, 3_200, 5_000,
  ]

  /// The layers from the noisiest.
  private let order: [Int]
  private let kept: Set<Int>
  /// The last layers, if they are few enough to be tried.
  private var last: Set<Int>
  private let limit: Int
  private let floatCount: @Sendable (Set<Int>) -> Int
  /// The number of the noisiest layers in each set but the second.
  private let counts: [Int]
  private var place = 0
  /// The agreement of the sets without and with the last layers.
  private var trial: (without: Double, with: Double)?
  private var previous: Set<Int>?

  /// - Parameters:
  ///   - layers: The layers.
  ///   - noise: The noise of each.
  ///   - last: The layers that no other layer follows.
  ///   - kept: The layers that stay float in any case.
  ///   - limit: The most layers that are float besides.
  ///   - floatCount: Returns the number of all layers that are float if some are kept float.
  init(
    _ layers: [Int], noise: [Double], last: Set<Int>, kept: Set<Int>, limit: Int,
    floatCount: @escaping @Sendable (Set<Int>) -> Int = { $0.count }
  ) {
    (self.kept, self.limit, self.floatCount) = (kept, limit, floatCount)
    let open = layers.indices.filter { !kept.contains(layers[$0]) }
      .sorted { noise[$0] != noise[$1] ? noise[$0] > noise[$1] : $0 < $1 }
    order = open.map { layers[$0] }
    var rest = open.reduce(0) { $0 + noise[$1] }
    var first = 0
    let most = min(limit, open.count)
    while rest > Self.mostNoise, first < most {
      rest -= noise[open[first]]
      first += 1
    }
    counts = [first] + Self.further.map { first + $0 }
    let others = last.subtracting(kept).subtracting(order.prefix(first))
    self.last = []
    if fits(kept.union(others).union(order.prefix(first))) { self.last = others }
  }

  /// Whether a set leaves few enough layers in float.
  private func fits(_ float: Set<Int>) -> Bool { floatCount(float) - kept.count <= limit }

  /// Returns the layers of the next set; nil after the last one.
  ///
  /// The agreement is that of the previous set; 0 if it could not be compared.
  mutating func next(after agreement: Double) -> Set<Int>? {
    if place == 1, !last.isEmpty, trial == nil {
      trial = (agreement, 0)
      return returned(float(counts[0], last))
    }
    if place == 1 { trial?.with = agreement }
    let isBetter = trial.map { $0.with > $0.without } ?? false
    while place < counts.count {
      let set = float(counts[place], isBetter ? last : [])
      place += 1
      if let set = returned(set) { return set }
    }
    return nil
  }

  /// Returns a set; nil if it is not larger than the previous one without the last layers.
  private mutating func returned(_ set: Set<Int>) -> Set<Int>? {
    guard previous.map({ !set.isSubset(of: $0) }) ?? true else { return nil }
    previous = set
    return set
  }

  /// Returns the layers that stay float in any case, some others, and the noisiest of the rest, as many as
  /// fit.
  private func float(_ count: Int, _ others: Set<Int>) -> Set<Int> {
    let rest = order.filter { !others.contains($0) }
    let always = kept.union(others)
    let most = min(count, rest.count)
    if fits(always.union(rest.prefix(most))) { return always.union(rest.prefix(most)) }
    // The largest number that fits; 0 does.
    var (fitting, tooMany) = (0, most)
    while tooMany - fitting > 1 {
      let middle = (fitting + tooMany) / 2
      if fits(always.union(rest.prefix(middle))) { fitting = middle } else { tooMany = middle }
    }
    return always.union(rest.prefix(fitting))
  }
}
