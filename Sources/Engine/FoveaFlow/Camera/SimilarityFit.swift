// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// A point of the first image and its position in the second, in pixels of the image.
struct PointMatch: Sendable {
  var from: SIMD2<Double>
  var to: SIMD2<Double>
}

/// A shift, rotation and zoom: x' = a x − b y + dx, y' = b x + a y + dy.
struct Similarity: Sendable {
  var a = 1.0
  var b = 0.0
  var dx = 0.0
  var dy = 0.0

  /// Returns the squared distance between a point's actual position and the position that the similarity
  /// predicts.
  func squaredError(_ match: PointMatch) -> Double {
    let x = a * match.from.x - b * match.from.y + dx - match.to.x
    let y = b * match.from.x + a * match.from.y + dy - match.to.y
    return x * x + y * y
  }

  /// Returns the similarity with the least sum of squared errors over the matches that `isUsed` selects.
  /// - Returns: The similarity and the number of matches used; nil with fewer than two different points.
  ///
  /// **Source:** Umeyama, "Least-Squares Estimation of Transformation Parameters Between Two Point Patterns",
  /// PAMI 1991; in two dimensions the solution is linear.
  static func leastSquares(
    _ matches: [PointMatch], where isUsed: (PointMatch) -> Bool
  ) -> (similarity: Similarity, count: Int)? {
    var (count, from, to) = (0, SIMD2<Double>(), SIMD2<Double>())
    for match in matches where isUsed(match) {
      count += 1
      from += match.from
      to += match.to
    }
    guard count >= 2 else { return nil }
    from /= Double(count)
    to /= Double(count)
    var (spread, along, across) = (0.0, 0.0, 0.0)
    for match in matches where isUsed(match) {
      let (p, q) = (match.from - from, match.to - to)
      spread += p.x * p.x + p.y * p.y
      along += p.x * q.x + p.y * q.y
      across += p.x * q.y - p.y * q.x
    }
    guard spread > 0 else { return nil }
    let (a, b) = (along / spread, across / spread)
    let fitted = Similarity(
      a: a, b: b, dx: to.x - a * from.x + b * from.y, dy: to.y - b * from.x - a * from.y)
    return (fitted, count)
  }

  /// Returns the similarity that most matches agree on, refined over those.
  ///
  /// The pairs to try come from a fixed sequence: the same matches give the same result.
  /// - Returns: The similarity; nil if fewer than `leastInliers` agree.
  ///
  /// **Source:** Fischler, Bolles, "Random Sample Consensus", Communications of the ACM, 1981.
  static func consensus(
    _ matches: [PointMatch], tolerance: Double, iterations: Int, leastInliers: Int
  ) -> Similarity? {
    guard matches.count >= max(leastInliers, 2) else { return nil }
    let limit = tolerance * tolerance
    var sequence = PairSequence(count: matches.count)
    var best: (similarity: Similarity, count: Int)?
    for _ in 0..<iterations {
      let (first, second) = sequence.next()
      guard let tried = through(matches[first], matches[second]) else { continue }
      var count = 0
      for match in matches where tried.squaredError(match) < limit { count += 1 }
      if count > best?.count ?? 1 { best = (tried, count) }
    }
    for _ in 0..<3 {
      guard let found = best else { return nil }
      best = leastSquares(matches) { found.similarity.squaredError($0) < limit }
    }
    guard let best, best.count >= leastInliers else { return nil }
    return best.similarity
  }

  /// Returns the similarity that two matches define; nil if their points are the same.
  private static func through(_ first: PointMatch, _ second: PointMatch) -> Similarity? {
    let (p, q) = (second.from - first.from, second.to - first.to)
    let length = p.x * p.x + p.y * p.y
    guard length > 0 else { return nil }
    let a = (p.x * q.x + p.y * q.y) / length
    let b = (p.x * q.y - p.y * q.x) / length
    return Similarity(
      a: a, b: b, dx: first.to.x - a * first.from.x + b * first.from.y,
      dy: first.to.y - b * first.from.x - a * first.from.y)
  }
}

/// A random sequence of pairs of different indices, the same in every run.
struct PairSequence: Sendable {
  private var random = SplitMix64(seed: 1)
  private let count: Int

  /// - Parameter count: The number of indices, at least 2.
  init(count: Int) { self.count = count }

  /// Returns two different indices below `count`.
  mutating func next() -> (Int, Int) {
    let first = random.below(count)
    let second = random.below(count - 1)
    return (first, second < first ? second : second + 1)
  }
}
