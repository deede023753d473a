// SPDX-License-Identifier: Apache-2.0

/// The scores from which on an answer counts, chosen on probabilities of photos that the head has not learned from.
///
/// Each photo and class is an answer, right where the photo has the class (micro-averaged, as AutoML's page had it).
package struct Thresholds: Sendable, Equatable {
  /// A threshold with its figures: answers count from its score on.
  package struct Point: Sendable, Equatable {
    /// The least score that counts, one of those that were given.
    package let threshold: Double
    /// How many of the answers are right, 0…1.
    package let precision: Double
    /// How many of the right answers are given, 0…1.
    package let recall: Double
    /// The harmonic mean of both, 0…1.
    package var f1: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }
  }

  /// The curve over all photos and classes, thresholds rising: one point for each score that occurs.
  package let all: [Point]
  /// The curve of each class: `[classCount]`; empty where no photo has the class.
  package let classes: [[Point]]

  /// Makes thresholds from their curves.
  package init(all: [Point], classes: [[Point]]) {
    self.all = all
    self.classes = classes
  }

  /// The point with the largest F1, of equal ones that with the least threshold; nil for a curve without points.
  package static func best(of curve: [Point]) -> Point? {
    var best: Point?
    for point in curve where point.f1 > best?.f1 ?? -1 { best = point }
    return best
  }

  /// The point with the least threshold whose precision is at least so large; nil where none is.
  package static func point(of curve: [Point], reaching precision: Double) -> Point? {
    curve.first { $0.precision >= precision }
  }

  /// The threshold halfway between a point's and the next lower score, or 0: the same answers count, and
  /// that of a new photo which is a little less sure.
  package static func middle(below point: Point, in curve: [Point]) -> Double {
    let lower = curve.last { $0.threshold < point.threshold }?.threshold ?? 0
    return (lower + point.threshold) / 2
  }

  /// A score, and whether what was answered with it is right.
  package struct Answer: Sendable {
    /// 0…1.
    package let score: Double
    package let isRight: Bool

    /// Makes an answer.
    package init(score: Double, isRight: Bool) {
      self.score = score
      self.isRight = isRight
    }
  }

  /// The curve where each pair of photo and class has a score.
  package static func curve(_ answers: [Answer]) -> [Point] {
    curve(answers, pairCount: answers.count, rightCount: answers.count { $0.isRight })
  }

  /// One point for each score, as `precision_recall_curve` of scikit-learn has them without its last one.
  /// - Parameters:
  ///   - answers: The pairs of photo and class that have a score, in any order.
  ///   - pairCount: How many pairs there are; those without a score have 0, and are last.
  ///   - rightCount: How many of all pairs are right.
  /// - Returns: The points, thresholds rising; none where nothing is right.
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
  /// The average precision of a curve: Σ (Rₙ − Rₙ₋₁) Pₙ, the area under precision and recall.
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
