// SPDX-License-Identifier: Apache-2.0

extension LearnedHead {
  /// Returns the probabilities of rows, each from a head that was not trained on the row's part.
  /// - Parameters:
  ///   - asked: The rows.
  ///   - parts: The part of each row; nil if no photo of its part was used for training, so that the full
  ///     head can answer.
  ///   - problem: The training data, in the rows of `folds`.
  ///   - options: The options of the head.
  ///   - jobs: The maximum number of threads.
  /// - Returns: The probability of each class for each row.
  /// - Throws: `LearningProblem.constant` if a head would be trained on embeddings that are all the same.
  func probabilities(
    of asked: FeatureMatrix, parts: [Int?], _ problem: Problem, _ options: LabelTrainer.Options, jobs: Int
  ) throws(LearningProblem) -> [[Double]] {
    var scores = [[Double]](repeating: [], count: asked.rowCount)
    for part in Set(parts) {
      var (weights, biases) = (weights, biases)
      if let part {
        (weights, biases) = try head(learning: folds.rows(without: part), problem, options, jobs: jobs)
      }
      for row in 0..<asked.rowCount where parts[row] == part {
        scores[row] = LearnedHead.scores(of: asked[row], weights: weights, biases: biases).map { Double($0) }
      }
    }
    return Calibration.probabilities(scores, problem.targets)
  }

  /// Trains a head on some of the rows, with the strength, temperature and shift of this head.
  private func head(
    learning rows: [Int], _ problem: Problem, _ options: LabelTrainer.Options, jobs: Int
  ) throws(LearningProblem) -> (weights: [Float], biases: [Float]) {
    let features = try FeatureMatrix(
      columnCount: problem.features.columnCount, values: rows.flatMap { problem.features[$0] })
    let scale = try FeatureScale(of: features, rows: Array(rows.indices))
    let head = try FittedHead(
      scale.scaled(features), targets: problem.targets.rows(rows), classCount: problem.classCount,
      strength: strength, jobs: jobs)
    return LearnedHead.fold(head, scale, temperature: temperature, shift: LearnedHead.shift(problem, options))
  }
}

extension Targets {
  /// Returns the targets of some of the rows.
  fileprivate func rows(_ rows: [Int]) -> Targets {
    switch self {
    case .one(let labels): .one(rows.map { labels[$0] })
    case .several(let sets): .several(rows.map { sets[$0] })
    }
  }
}
