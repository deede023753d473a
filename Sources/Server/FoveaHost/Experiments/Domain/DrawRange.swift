// SPDX-License-Identifier: Apache-2.0
#if Server
/// The part of all hashes of a seed that an experiment owns.
///
/// The experiments of a layer have one seed and own parts that do not overlap, so no unit is in two of them.
package struct DrawRange: Sendable, Codable, Equatable {
  /// The name of the layer; nil for an experiment with a seed of its own.
  package let layer: String?
  package let seed: String
  /// The first hash that belongs to it, and the first one behind it; of 100,000,000.
  package let start: Int
  package let end: Int
  /// The hashes from here on belong to no experiment of the layer.
  package let holdout: Int

  package init(layer: String? = nil, seed: String, start: Int, end: Int, holdout: Int) {
    self.layer = layer
    self.seed = seed
    self.start = start
    self.end = end
    self.holdout = holdout
  }

  /// For each weight the hash below which its part of the range ends.
  package func bounds(_ weights: [Int]) -> [Int] {
    let sum = max(1, weights.reduce(0, +))
    var part = 0
    return weights.map { weight in
      part += weight
      return start + (end - start) * part / sum
    }
  }

  /// The number of the weight whose part a hash is in; nil outside of the range.
  package func index(of hash: Int, _ weights: [Int]) -> Int? {
    guard hash >= start, hash < end else { return nil }
    return bounds(weights).firstIndex { hash < $0 }
  }

  /// The lowest free part of a layer that is wide enough.
  /// - Returns: Nil, with the widest part that is free, where there is none.
  static func free(width: Int, below limit: Int, among taken: [DrawRange]) -> (start: Int?, widest: Int) {
    var (start, widest) = (0, 0)
    for range in taken.sorted(by: { $0.start < $1.start }) {
      widest = max(widest, range.start - start)
      if range.start - start >= width { return (start, widest) }
      start = max(start, range.end)
    }
    widest = max(widest, limit - start)
    return (limit - start >= width ? start : nil, widest)
  }
}
#endif
