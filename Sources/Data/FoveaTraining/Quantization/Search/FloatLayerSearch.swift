// SPDX-License-Identifier: Apache-2.0

/// The order in which layers are kept float until the agreement suffices.
struct FloatLayerSearch: Sendable {
  /// The most noise that the layers in int8 may add before the first comparison.
  static let mostNoise = 0.05
  /// The numbers of further layers that are tried, up to the most layers of a graph.
  private static let further = [
    0, 1, 2, 3, 5, 8, 12, 20, 32, 50, 80, 130, 200, 320, 500, 800, 1_300, 2_000, 3_200, 5_000,
  ]

  /// The layers from the noisiest.
  private let order: [Int]
  private let kept: Set<Int>
  /// The number of the noisiest layers in each attempt.
  let attempts: [Int]

  /// - Parameters:
  ///   - layers: The layers.
  ///   - noise: The noise of each.
  ///   - kept: The layers that stay float in any case.
  ///   - limit: The most layers that are kept float besides.
  init(_ layers: [Int], noise: [Double], kept: Set<Int>, limit: Int) {
    self.kept = kept
    let open = layers.indices.filter { !kept.contains(layers[$0]) }
      .sorted { noise[$0] != noise[$1] ? noise[$0] > noise[$1] : $0 < $1 }
    order = open.map { layers[$0] }
    var rest = open.reduce(0) { $0 + noise[$1] }
    var first = 0
    while rest > Self.mostNoise, first < min(limit, open.count) {
      rest -= noise[open[first]]
      first += 1
    }
    let most = min(limit, open.count)
    attempts = Self.further.map { min(first + $0, most) }.reduce(into: []) { counts, count in
      if counts.last != count { counts.append(count) }
    }
  }

  /// Returns the layers that an attempt keeps float.
  func float(_ attempt: Int) -> Set<Int> { kept.union(order.prefix(attempt)) }
}
