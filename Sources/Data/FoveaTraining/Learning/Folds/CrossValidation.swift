// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Finds the regularization strength of a head by its answers for held-out photos.
///
/// Strengths go from strong to weak, each fold starting from its previous head. The search stops when the log
/// loss has risen twice, then tries the half decades next to the best. The least log loss is selected because
/// accuracy is too coarse with few photos.
package struct CrossValidation: Sendable {
  /// A strength with the log loss over all photos.
  package struct Trial: Sendable, Equatable {
    package let strength: Double
    package let logLoss: Double
  }

  /// The selected strength.
  package let strength: Double
  /// The scores of each photo at that strength from the head that was not trained on it, before softmax or
  /// sigmoid and before the temperature: `[photos][classCount]`, in the order of the photos.
  package let scores: [[Double]]
  /// All tried strengths, in order.
  package let trials: [Trial]

  static let optimizer = LBFGS(tolerance: 1e-4, maximumSteps: 100)

  /// Tries strengths.
  /// - Parameters:
  ///   - features: The features from the backbone: `[photos, columnCount]`; each fold is scaled by its
  ///     training rows.
  ///   - targets: The targets of the rows.
  ///   - classCount: The number of classes.
  ///   - folds: The parts.
  ///   - strength: A fixed strength; nil searches for one.
  ///   - jobs: The maximum number of threads, one per part; the result does not depend on it.
  /// - Throws: `LearningProblem` if labels do not fit or features are constant.
  package init(
    _ features: FeatureMatrix, targets: Targets, classCount: Int, folds: Folds, strength: Double? = nil,
    jobs: Int = 1
  ) throws(LearningProblem) {
    guard folds.fold.count == features.rowCount else { throw .labels }
    try targets.check(photoCount: features.rowCount, classCount: classCount)
    var search = Search(
      parts: try FoldParts(features, targets: targets, classCount: classCount, folds: folds), jobs: jobs)
    if let strength {
      try search.run(strength)
    } else {
      try search.decades()
      try search.halves()
    }
    (self.strength, scores, trials) = (search.best.strength, search.bestScores, search.trials)
  }

  private struct Search {
    let parts: FoldParts
    let jobs: Int
    var heads: [[SoftmaxRegression]?] = []
    var trials: [Trial] = []
    var best = Trial(strength: 0, logLoss: .infinity)
    var bestScores: [[Double]] = []

    init(parts: FoldParts, jobs: Int) {
      self.parts = parts
      self.jobs = jobs
      heads = [[SoftmaxRegression]?](repeating: nil, count: parts.count)
    }

    /// Tries 0.1, 0.01, … until the loss has risen twice.
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
      let (parts, before) = (parts, heads)
      let answers = try Pieces.map(parts.count, jobs: jobs) { (part) throws(LearningProblem) in
        try parts.answer(part, strength: strength, from: before[part])
      }
      heads = answers.map(\.regressions)
      let scores = parts.inOrder(answers.map(\.scores))
      let trial = Trial(strength: strength, logLoss: Calibration.logLoss(scores, parts.fit.targets))
      trials.append(trial)
      if trial.logLoss < best.logLoss { (best, bestScores) = (trial, scores) }
    }
  }

  private static func power(_ exponent: Double) -> Double { exp(exponent * log(10)) }
}
