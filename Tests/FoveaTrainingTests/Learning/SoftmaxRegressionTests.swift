// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaTraining

/// Softmax regression compared with scikit-learn 1.9.1 (Tests/Fixtures/learning/reference.py).
@Suite struct SoftmaxRegressionTests {
  struct Golden: Decodable, Sendable, CustomTestStringConvertible {
    struct Solution: Decodable, Sendable {
      let strength: Double
      let loss: Double
      let probabilities: [[Double]]
    }
    let name: String
    let labels: [Int]
    let features: [[Float]]
    let solutions: [Solution]
    var testDescription: String { name }
  }

  static let goldens: [Golden] = {
    let path = PackageRoot.path + "/Tests/Fixtures/learning/regression.json"
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return (try? JSONDecoder().decode([Golden].self, from: data)) ?? []
  }()

  private static func scaled(_ rows: [[Float]]) throws -> FeatureMatrix {
    let features = try FeatureMatrix(rows)
    return try FeatureScale(of: features, rows: Array(0..<rows.count)).scaled(features)
  }

  @Test func `the goldens are there`() { #expect(Self.goldens.count == 6) }

  @Test(arguments: goldens)
  func `loss and probabilities match scikit-learn`(golden: Golden) throws {
    let features = try Self.scaled(golden.features)
    for solution in golden.solutions {
      let classCount = solution.probabilities[0].count
      let head = try SoftmaxRegression(
        features, labels: golden.labels, classCount: classCount, strength: solution.strength)
      #expect(abs(head.loss - solution.loss) <= 1e-6 * solution.loss, "\(solution.strength)")
      #expect(head.gradient <= 1e-6 && head.steps < 100, "\(solution.strength): \(head.steps) steps")
      let fitted = FittedHead([head], isSeveral: false)
      for (row, expected) in solution.probabilities.enumerated() {
        let probabilities = Calibration.probabilities([fitted.scores(features, row: row)], .one([0]))
        for (found, right) in zip(probabilities[0], expected) {
          #expect(abs(found - right) <= 1e-4)
        }
      }
      // Starting from another head, as in cross-validation, the result is the same.
      let other = try SoftmaxRegression(
        features, labels: golden.labels, classCount: classCount, strength: 10 * solution.strength)
      let again = try SoftmaxRegression(
        features, labels: golden.labels, classCount: classCount, strength: solution.strength, from: other)
      #expect(abs(again.loss - head.loss) <= 1e-6 * head.loss)
    }
  }

  @Test func `labels and classes that do not fit are an error`() throws {
    let features = try FeatureMatrix([[0, 1], [1, 0]])
    for (labels, classCount, problem) in [
      ([0, 1], 1, LearningProblem.oneClass), ([0], 2, .labels), ([0, 2], 2, .labels), ([0, -1], 2, .labels),
    ] {
      #expect(throws: problem) {
        try SoftmaxRegression(features, labels: labels, classCount: classCount, strength: 0.1)
      }
    }
    #expect(throws: LearningProblem.empty) {
      try SoftmaxRegression(features, labels: [0, 1], rows: [], classCount: 2, strength: 0.1)
    }
  }

  @Test(arguments: goldens)
  func `the gradient is the derivative of the value`(golden: Golden) throws {
    let features = try Self.scaled(golden.features)
    let classCount = golden.solutions[0].probabilities[0].count
    let objective = SoftmaxObjective(
      features: features, labels: golden.labels, rows: Array(0..<golden.labels.count), classCount: classCount,
      strength: 0.01)
    let point = (0..<objective.parameterCount).map { Double(($0 * 37) % 11) / 10 - 0.5 }
    var gradient = [Double](repeating: 0, count: point.count)
    var unused = gradient
    _ = objective.value(at: point, gradient: &gradient)
    for index in stride(from: 0, to: point.count, by: max(1, point.count / 23)) {
      var (left, right) = (point, point)
      // Wide: values are sums of products in Float32.
      left[index] -= 0.01
      right[index] += 0.01
      let change =
        (objective.value(at: right, gradient: &unused) - objective.value(at: left, gradient: &unused)) / 0.02
      #expect(abs(change - gradient[index]) <= 1e-4 * max(1, abs(gradient[index])), "\(index)")
    }
  }
}
