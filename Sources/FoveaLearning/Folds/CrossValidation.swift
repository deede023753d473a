// SPDX-License-Identifier: Apache-2.0

internal import FoveaSystem

/// Finds the strength of a head by its answers for photos that it has not learned from.
///
/// Strengths go from strong to weak, each fold from its head before. It ends when the log loss has risen twice; then the half
/// decades next to the best are tried. The least log loss wins: accuracy is too coarse with few photos.
package struct CrossValidation: Sendable {
  /// A strength, and the log loss of all photos under it.
  package struct Trial: Sendable, Equatable {
    package let strength: Double
    package let logLoss: Double
  }

  /// The strength that wins.
  package let strength: Double
  /// The scores of each photo by the head that has not learned from it, at that strength.
  package let scores: [[Double]]
  /// All that was tried, in its order.
  package let trials: [Trial]

  private static let optimizer = LBFGS(tolerance: 1e-4, maximumSteps: 100)

  /// Tries strengths.
  /// - Parameters:
  ///   - features: The features, as the backbone gives them: each fold is scaled by what it learns from.
  ///   - labels: The class of each row.
  ///   - classCount: The number of classes.
  ///   - folds: The parts.
  ///   - strength: A strength to take as it is; nil tries.
  /// - Throws: `LearningProblem` for labels that do not fit, and features that are constant.
  package init(
    _ features: FeatureMatrix, labels: [Int], classCount: Int, folds: Folds, strength: Double? = nil
  ) throws(LearningProblem) {
    guard folds.fold.count == features.rowCount else { throw .labels }
    var parts: [Part] = []
    for index in 0..<folds.count {
      parts.append(try Part(features, learned: folds.rows(without: index), left: folds.rows(of: index)))
    }
    var search = Search(parts: parts, labels: labels, classCount: classCount, rowCount: features.rowCount)
    if let strength {
      try search.run(strength)
    } else {
      try search.decades()
      try search.halves()
    }
    (self.strength, scores, trials) = (search.best.strength, search.bestScores, search.trials)
  }

  /// What a fold learns from, and the rest.
  private struct Part {
    let features: FeatureMatrix
    let learned: [Int]
    let left: [Int]

    init(_ features: FeatureMatrix, learned: [Int], left: [Int]) throws(LearningProblem) {
      self.features = try FeatureScale(of: features, rows: learned).scaled(features)
      self.learned = learned
      self.left = left
    }
  }

  private struct Search {
    let parts: [Part]
    let labels: [Int]
    let classCount: Int
    let rowCount: Int
    var heads: [SoftmaxRegression?] = []
    var trials: [Trial] = []
    var best = Trial(strength: 0, logLoss: .infinity)
    var bestScores: [[Double]] = []

    /// 0.1, 0.01, … until the loss has risen twice.
    mutating func decades() throws(LearningProblem) {
      var rises = 0
      for exponent in 1...6 where rises < 2 {
        let before = best.logLoss
        try run(CrossValidation.power(-Double(exponent)))
        rises = (trials.last?.logLoss ?? 0) > before ? rises + 1 : 0
      }
    }

    mutating func halves() throws(LearningProblem) {
      let middle = best.strength
      let factor = CrossValidation.power(0.5)
      for strength in [middle * factor, middle / factor] { try run(strength) }
    }

    mutating func run(_ strength: Double) throws(LearningProblem) {
      var scores = [[Double]](repeating: [], count: rowCount)
      var next: [SoftmaxRegression?] = []
      for (index, part) in parts.enumerated() {
        let head = try SoftmaxRegression(
          part.features, labels: labels, rows: part.learned, classCount: classCount, strength: strength,
          from: heads.indices.contains(index) ? heads[index] : nil, optimizer: CrossValidation.optimizer)
        for row in part.left { scores[row] = head.scores(part.features, row: row) }
        next.append(head)
      }
      heads = next
      let trial = Trial(strength: strength, logLoss: Calibration.logLoss(scores, labels))
      trials.append(trial)
      if trial.logLoss < best.logLoss { (best, bestScores) = (trial, scores) }
    }
  }

  private static func power(_ exponent: Double) -> Double { exp(exponent * log(10)) }
}
