// SPDX-License-Identifier: Apache-2.0

import FoveaTraining
import Testing

@Suite struct FeatureTests {
  @Test func `features are centred, and divided by one number`() throws {
    let features = try FeatureMatrix([[1, 10, 7], [3, 14, 7], [100, 100, 100]])
    let scale = try FeatureScale(of: features, rows: [0, 1])
    #expect(scale.mean == [2, 12, 7] && abs(scale.scale - Float(5).squareRoot()) < 1e-6)
    let scaled = scale.scaled(features)
    #expect(Array(scaled[0]).map { $0 * scale.scale } == [-1, -2, 0])
    #expect(scaled.rowCount == 3 && scaled.columnCount == 3)
  }

  @Test(arguments: [
    (rows: [] as [[Float]], problem: LearningProblem.empty), ([[]], .empty),
    ([[1, 2], [1]], .length(row: 1, found: 1, expected: 2)),
    ([[1, 2], [1, 2], [.nan, 0]], .notFinite(row: 2)), ([[.infinity]], .notFinite(row: 0)),
  ])
  func `an invalid matrix of numbers is an error`(rows: [[Float]], problem: LearningProblem) {
    #expect(throws: problem) { try FeatureMatrix(rows) }
  }

  @Test func `features that are all the same are an error, also if rounding makes them differ`() throws {
    for value in [0, 1, 1e20, -3.3] as [Float] {
      let features = try FeatureMatrix([[Float]](repeating: [value, 2 * value], count: 5))
      #expect(throws: LearningProblem.constant) { try FeatureScale(of: features, rows: Array(0..<5)) }
    }
    let features = try FeatureMatrix([[1], [2]])
    #expect(throws: LearningProblem.empty) { try FeatureScale(of: features, rows: []) }
    #expect(throws: LearningProblem.constant) { try FeatureScale(of: features, rows: [1]) }
  }

  @Test func `concatenated vectors are the same matrix`() throws {
    let features = try FeatureMatrix(columnCount: 2, values: [1, 2, 3, 4, 5, 6])
    #expect(features.rowCount == 3 && features.columnCount == 2 && Array(features[1]) == [3, 4])
    #expect(throws: LearningProblem.length(row: 1, found: 1, expected: 2)) {
      try FeatureMatrix(columnCount: 2, values: [1, 2, 3])
    }
    #expect(throws: LearningProblem.notFinite(row: 1)) {
      try FeatureMatrix(columnCount: 2, values: [1, 2, .nan, 0])
    }
    for count in [0, -1, 2] {
      #expect(throws: LearningProblem.empty) { try FeatureMatrix(columnCount: count, values: []) }
    }
  }
}
