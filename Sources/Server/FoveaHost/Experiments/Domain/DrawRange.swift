// SPDX-License-Identifier: Apache-2.0
#if Server
/// The range of a seed's hashes that an experiment owns.
///
/// The experiments of a layer share a seed and own ranges that do not overlap, so no unit is in two of them.
package struct DrawRange: Sendable, Codable, Equatable {
  /// The name of the layer; nil for an experiment with its own seed.
  package let layer: String?
  package let seed: String
  /// The first hash of the range, and the first hash after it; hashes are 0 to 99,999,999.
  package let start: Int
  package let end: Int
  /// Hashes from this point on belong to no experiment of the layer.
  package let holdout: Int

  package init(layer: String? = nil, seed: String, start: Int, end: Int, holdout: Int) {
    self.layer = layer
    self.seed = seed
    self.start = start
    self.end = end
    self.holdout = holdout
  }

  /// Returns, for each weight, the hash at which its part of the range ends, exclusive.
  package func bounds(_ weights: [Int]) -> [Int] {
    let sum = max(1, weights.reduce(0, +))
    var part = 0
    return weights.map { weight in
      part += weight
      return start + (end - start) * part / sum
    }
  }

  /// Returns the index of the weight whose part contains a hash; nil outside the range.
  package func index(of hash: Int, _ weights: [Int]) -> Int? {
    guard hash >= start, hash < end else { return nil }
    return bounds(weights).firstIndex { hash < $0 }
  }

  /// Finds the lowest free range of a layer that is wide enough.
  /// - Returns: The start, nil if there is none, and the width of the widest free range.
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
