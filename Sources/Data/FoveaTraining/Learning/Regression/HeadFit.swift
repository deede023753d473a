// SPDX-License-Identifier: Apache-2.0

/// Fits heads to subsets of the rows.
struct HeadFit {
  let features: FeatureMatrix
  let targets: Targets
  let classCount: Int
  private let problems: [(labels: [Int], classCount: Int)]

  init(features: FeatureMatrix, targets: Targets, classCount: Int) {
    self.features = features
    self.targets = targets
    self.classCount = classCount
    problems = targets.problems(classCount: classCount)
  }

  /// A head with its regressions, from which the next fit can start.
  struct Fitted: Sendable {
    let head: FittedHead
    let regressions: [SoftmaxRegression]
  }

  /// Fits a head to rows.
  func head(
    rows: [Int], strength: Double, from start: [SoftmaxRegression]? = nil, optimizer: LBFGS, jobs: Int = 1
  ) throws(LearningProblem) -> Fitted {
    let isSeveral = if case .several = targets { true } else { false }
    let problems = problems
    let features = features
    let regressions = try Pieces.map(problems.count, jobs: jobs) { (index) throws(LearningProblem) in
      try SoftmaxRegression(
        features, labels: problems[index].labels, rows: rows, classCount: problems[index].classCount,
        strength: isSeveral ? 2 * strength : strength, from: start?[index], optimizer: optimizer)
    }
    return Fitted(head: FittedHead(regressions, isSeveral: isSeveral), regressions: regressions)
  }
}
