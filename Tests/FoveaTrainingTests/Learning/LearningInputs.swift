// SPDX-License-Identifier: Apache-2.0

import FoveaTraining

extension FeatureMatrix {
  /// A matrix of rows with one length.
  init(_ rows: [[Float]]) throws(LearningProblem) {
    try self.init(columnCount: rows.first?.count ?? 0, values: rows.flatMap(\.self))
  }
}

extension CrossValidation {
  /// Strengths for photos of one class each.
  init(
    _ features: FeatureMatrix, labels: [Int], classCount: Int, folds: Folds, strength: Double? = nil,
    jobs: Int = 1
  ) throws(LearningProblem) {
    try self.init(
      features, targets: .one(labels), classCount: classCount, folds: folds, strength: strength, jobs: jobs)
  }
}
