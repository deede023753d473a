// SPDX-License-Identifier: Apache-2.0

/// Thresholds for answers, chosen from the probabilities of held-out photos.
///
/// Each pair of photo and class is an answer, right if the photo has the class (micro-averaged).
package struct Thresholds: Sendable, Equatable {
  /// A threshold with its figures: scores from this one on count as answers.
  package struct Point: Sendable, Equatable {
    /// The lowest score that counts, one of the given scores.
    package let threshold: Double
    /// The share of answers that are right, 0…1.
    package let precision: Double
    /// The share of right labels that are answered, 0…1.
    package let recall: Double
    /// The harmonic mean of both, 0…1.
    package var f1: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }
  }

  /// The curve over all photos and classes by rising threshold, with one point for each score that occurs.
  package let all: [Point]
  /// The curve of each class: `[classCount]`; empty if no photo has the class.
  package let classes: [[Point]]

  /// Creates thresholds from their curves.
  package init(all: [Point], classes: [[Point]]) {
    self.all = all
    self.classes = classes
  }

  /// Returns the point with the largest F1; if several are equal, that with the lowest threshold; nil without
  /// points.
  package static func best(of curve: [Point]) -> Point? {
    var best: Point?
    for point in curve where point.f1 > best?.f1 ?? -1 { best = point }
    return best
  }

  /// Returns the point with the lowest threshold that reaches a precision; nil if there is none.
  package static func point(of curve: [Point], reaching precision: Double) -> Point? {
    curve.first { $0.precision >= precision }
  }

  /// Returns the threshold halfway between a point's score and the next lower one, or 0: the same answers
  /// count, and a new photo may score slightly lower and still count.
  package static func middle(below point: Point, in curve: [Point]) -> Double {
    let lower = curve.last { $0.threshold < point.threshold }?.threshold ?? 0
    return (lower + point.threshold) / 2
  }

  /// A score, and whether its answer is right.
  package struct Answer: Sendable {
    /// The score, 0…1.
    package let score: Double
    package let isRight: Bool

    /// Creates an answer.
    package init(score: Double, isRight: Bool) {
      self.score = score
      self.isRight = isRight
    }
  }

  /// Returns the curve if each pair of photo and class has a score.
  package static func curve(_ answers: [Answer]) -> [Point] {
    curve(answers, pairCount: answers.count, rightCount: answers.count { $0.isRight })
  }

  /// Returns one point for each score, like scikit-learn's `precision_recall_curve`, but without its last
  /// point.
  /// - Parameters:
  ///   - answers: The pairs of photo and class that have a score, in any order.
  ///   - pairCount: The number of pairs; pairs without a score count as 0.
  ///   - rightCount: The number of right pairs among all.
  /// - Returns: The points by rising threshold; none if nothing is right.
  package static func curve(_ answers: [Answer], pairCount: Int, rightCount: Int) -> [Point] {
    guard rightCount > 0 else { return [] }
    var points: [Point] = []
    var right = 0
    let sorted = answers.sorted { $0.score > $1.score }
    for (index, answer) in sorted.enumerated() {
      if answer.isRight { right += 1 }
      if index + 1 < sorted.count, sorted[index + 1].score == answer.score { continue }
      points.append(
        Point(
          threshold: answer.score, precision: Double(right) / Double(index + 1),
          recall: Double(right) / Double(rightCount)))
    }
    if pairCount > answers.count {
      if points.last?.threshold == 0 { points.removeLast() }
      points.append(Point(threshold: 0, precision: Double(rightCount) / Double(pairCount), recall: 1))
    }
    return points.reversed()
  }
}

extension Thresholds {
  /// Returns the average precision of a curve: Σ (Rₙ − Rₙ₋₁) Pₙ, the area under precision over recall.
  ///
  /// **Source:** scikit-learn, `average_precision_score`.
  /// - Returns: 0…1; nil for a curve without points.
  package static func averagePrecision(of curve: [Point]) -> Double? {
    guard !curve.isEmpty else { return nil }
    var sum = 0.0
    var recall = 0.0
    for point in curve.reversed() {
      sum += (point.recall - recall) * point.precision
      recall = point.recall
    }
    return sum
  }
}
