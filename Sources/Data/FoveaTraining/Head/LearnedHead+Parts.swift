// SPDX-License-Identifier: Apache-2.0

extension LearnedHead {
  /// The probabilities of rows that are asked for, each by a head that has not learned from its part.
  /// - Parameters:
  ///   - asked: The rows.
  ///   - parts: The part of each; nil where nothing of its part was learned, so that the head itself answers.
  ///   - problem: What was learned from, in the rows of `folds`.
  ///   - options: As for the head.
  ///   - jobs: The most threads.
  /// - Returns: The probability of each class, for each row.
  /// - Throws: `LearningProblem.constant` where a head would have to learn from embeddings that are all the same.
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

  /// A head of some of the rows, with the strength, the temperature and the shift of this one.
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
  /// What is right for some of the rows.
  fileprivate func rows(_ rows: [Int]) -> Targets {
    switch self {
    case .one(let labels): .one(rows.map { labels[$0] })
    case .several(let sets): .several(rows.map { sets[$0] })
    }
  }
}
