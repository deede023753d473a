// SPDX-License-Identifier: Apache-2.0

/// The parts of a cross-validation: what each learns from, the rest, and features that all of them share.
///
/// All features are scaled once. A part's own scale differs from that by a centre, which the biases take up as they cost
/// nothing, and by a factor r, with which a strength of l r² does what l does for its own scale. So no part needs a copy.
struct FoldParts {
  let fit: HeadFit
  /// The rows that each part learns from.
  let learned: [[Int]]
  /// The rows that each part is asked about.
  let left: [[Int]]
  private let original: FeatureMatrix
  private let scale: Double
  /// r² of each part.
  private let factors: [Double]

  /// What a part answers: scores of the rows that are left out, in their order.
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

  /// Fits the head of a part, and asks it about the rows that the part leaves out.
  /// - Parameters:
  ///   - part: The part.
  ///   - drawn: What it learns from; nil for all that is left to it.
  ///   - strength: l, for features that are scaled by what it learns from.
  ///   - start: What the fit begins from.
  /// - Returns: The scores, and the regressions for the next strength.
  /// - Throws: `LearningProblem.constant` where what it learns from is all the same.
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

  /// The answers of all parts in the order of the photos.
  func inOrder<Value>(_ answers: [[Value]]) -> [Value] {
    var places = [(part: Int, index: Int)](repeating: (0, 0), count: fit.features.rowCount)
    for (part, rows) in left.enumerated() {
      for (index, row) in rows.enumerated() { places[row] = (part, index) }
    }
    return places.map { answers[$0.part][$0.index] }
  }
}
