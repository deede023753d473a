// SPDX-License-Identifier: Apache-2.0

/// The parts of a cross-validation: their training rows, held-out rows, and the features that all share.
///
/// All features are scaled once. A part's own scale differs by a centre, which the unpenalized biases absorb,
/// and by a factor r: a strength of l r² has the effect of l at the part's own scale. So no part needs a
/// copy.
struct FoldParts {
  let fit: HeadFit
  /// The training rows of each part.
  let learned: [[Int]]
  /// The held-out rows of each part.
  let left: [[Int]]
  private let original: FeatureMatrix
  private let scale: Double
  /// r² of each part.
  private let factors: [Double]

  /// The answer of a part: the scores of its held-out rows, in order.
  struct Answer: Sendable {
    let scores: [[Double]]
    let regressions: [SoftmaxRegression]
  }

  var count: Int { learned.count }

  init(_ features: FeatureMatrix, targets: Targets, classCount: Int, folds: Folds) throws(LearningProblem) {
    let scale = try FeatureScale(of: features, rows: Array(0..<features.rowCount))
    original = features
    self.scale = Double(scale.scale)
    fit = HeadFit(features: scale.scaled(features), targets: targets, classCount: classCount)
    var parts: (learned: [[Int]], left: [[Int]], factors: [Double]) = ([], [], [])
    for index in 0..<folds.count {
      let learned = folds.rows(without: index)
      parts.learned.append(learned)
      parts.left.append(folds.rows(of: index))
      parts.factors.append(try FoldParts.factor(features, learned, scale: Double(scale.scale)))
    }
    (learned, left, factors) = parts
  }

  private static func factor(
    _ features: FeatureMatrix, _ rows: [Int], scale: Double
  ) throws(LearningProblem) -> Double {
    let ratio = Double(try FeatureScale(of: features, rows: rows).scale) / scale
    return ratio * ratio
  }

  /// Trains the head of a part, and scores the part's held-out rows.
  /// - Parameters:
  ///   - part: The part.
  ///   - drawn: The sampled training rows; nil for all.
  ///   - strength: l, for features scaled by the training rows.
  ///   - start: The regressions to start the fit from.
  /// - Returns: The scores, and the regressions for the next strength.
  /// - Throws: `LearningProblem.constant` if the training rows are all the same.
  func answer(
    _ part: Int, drawn: [Int]? = nil, strength: Double, from start: [SoftmaxRegression]? = nil
  ) throws(LearningProblem) -> Answer {
    var factor = factors[part]
    if let drawn { factor = try FoldParts.factor(original, drawn, scale: scale) }
    let fitted = try fit.head(
      rows: drawn ?? learned[part], strength: strength * factor, from: start,
      optimizer: CrossValidation.optimizer)
    return Answer(
      scores: left[part].map { fitted.head.scores(fit.features, row: $0) }, regressions: fitted.regressions)
  }

  /// Returns the answers of all parts in the order of the photos.
  func inOrder<Value>(_ answers: [[Value]]) -> [Value] {
    var places = [(part: Int, index: Int)](repeating: (0, 0), count: fit.features.rowCount)
    for (part, rows) in left.enumerated() {
      for (index, row) in rows.enumerated() { places[row] = (part, index) }
    }
    return places.map { answers[$0.part][$0.index] }
  }
}
