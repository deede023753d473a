// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaTraining
import Testing

@Suite struct DecisionTests {
  @Test func `sigmoids match scikit-learn's logistic regressions`() throws {
    let golden = try Decisions.golden().sigmoids
    let matrix = try FeatureMatrix(golden.features)
    let features = try FeatureScale(of: matrix, rows: Array(0..<matrix.rowCount)).scaled(matrix)
    let targets = Targets.several(golden.sets)
    #expect(golden.solutions.count == 2)
    for solution in golden.solutions {
      let head = try FittedHead(
        features, targets: targets, classCount: 4, strength: solution.strength, jobs: 3)
      let scores = (0..<matrix.rowCount).map { head.scores(features, row: $0) }
      #expect(abs(Calibration.logLoss(scores, targets) - solution.logLoss) < 1e-5)
      let probabilities = Calibration.probabilities(scores, targets)
      for (found, right) in zip(probabilities.joined(), solution.probabilities.joined()) {
        #expect(abs(found - right) <= 1e-4)
      }
    }
  }

  @Test func `a head with a softmax is only the regression`() throws {
    let features = try FeatureMatrix([[0, 1], [1, 0], [0.5, 2], [2, 0.25]])
    let head = try FittedHead(features, targets: .one([0, 1, 0, 1]), classCount: 2, strength: 0.1)
    let alone = try SoftmaxRegression(features, labels: [0, 1, 0, 1], classCount: 2, strength: 0.1)
    #expect(head.weights == alone.weights && head.biases == alone.biases && head.steps == alone.steps)
  }

  @Test func `targets that do not fit are an error`() throws {
    let features = try FeatureMatrix([[0, 1], [1, 0]])
    for (targets, classCount, problem) in [
      (Targets.one([0, 1]), 1, LearningProblem.oneClass), (.one([0]), 2, .labels),
      (.several([[0], [2]]), 2, .labels),
      (.several([[0], []]), 0, .empty), (.several([[0]]), 2, .labels),
    ] {
      #expect(throws: problem) {
        try FittedHead(features, targets: targets, classCount: classCount, strength: 0.1)
      }
    }
    #expect(Targets.one([0, 2, 2]).counts(classCount: 3) == [1, 0, 2])
    #expect(Targets.several([[0, 2], [], [2]]).counts(classCount: 3) == [1, 0, 2])
  }

  @Test func `temperatures match scipy's search`() throws {
    let golden = try Decisions.golden().temperatures
    #expect(golden.count == 2)
    for each in golden {
      let found = try Temperature(scores: each.scores, targets: .one(each.labels)).value
      #expect(abs(found / each.temperature - 1) < 1e-4, "\(found)")
      #expect(abs(Calibration.logLoss(each.scores, each.labels, temperature: found) - each.logLoss) < 1e-9)
    }
  }

  @Test func `sigmoids have one temperature`() throws {
    let scores = (0..<60).map { [Double($0 % 7) - 3, 2 - Double($0 % 5)] }
    // Four of five depend on the sign of the score.
    let sets = (0..<60).map { row in
      [0, 1].filter { (scores[row][$0] > 0) != ((row * 31 + $0 * 7) % 5 == 0) }
    }
    let found = try Temperature(scores: scores, targets: .several(sets)).value
    for other in [found * 0.9, found * 1.1] {
      let loss = Calibration.logLoss(scores, .several(sets), temperature: found)
      #expect(loss < Calibration.logLoss(scores, .several(sets), temperature: other))
    }
    #expect(Calibration.logLoss([[800, -800]], .several([[0]])) == 0)
    #expect(Calibration.logLoss([[800, -800]], .several([[1]])) == 800)
    #expect(Calibration.logLoss([], .several([])) == 0)
    #expect(throws: LearningProblem.labels) { try Temperature(scores: [[1, 2]], targets: .several([[2]])) }
  }

  @Test func `thresholds have scikit-learn's precision and recall`() throws {
    let golden = try Decisions.golden().thresholds
    #expect(golden.count == 2 && golden[1].classes.contains { $0 == nil })
    for each in golden {
      let found = try Thresholds(probabilities: each.probabilities, targets: .one(each.labels))
      for (curve, right) in zip([found.all] + found.classes, [each.all] + each.classes) {
        // scikit-learn starts at full recall.
        let points = curve.drop { $0.threshold < right?.thresholds.first ?? 0 }
        #expect(points.map(\.threshold) == right?.thresholds ?? [])
        for (point, (precision, recall)) in zip(points, zip(right?.precision ?? [], right?.recall ?? [])) {
          #expect(abs(point.precision - precision) < 1e-11 && abs(point.recall - recall) < 1e-11)
        }
      }
    }
  }

  @Test func `the best threshold has the largest F1, and is the lowest of equal ones`() throws {
    let found = try Thresholds(
      probabilities: [[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.8, 0.2]], targets: .one([0, 0, 1, 1]))
    // From 0.6 on: three of four right, three of four found.
    let best = try #require(Thresholds.best(of: found.all))
    #expect(best.threshold == 0.6 && best.precision == 0.75 && best.recall == 0.75 && best.f1 == 0.75)
    #expect(Thresholds.middle(below: best, in: found.all) == 0.5)
    #expect(Thresholds.middle(below: found.all[0], in: found.all) == 0.05)
    #expect(Thresholds.point(of: found.all, reaching: 0.9)?.threshold == 0.9)
    #expect(Thresholds.point(of: found.all, reaching: 0.5)?.threshold == 0.1)
    #expect(Thresholds.point(of: found.classes[1], reaching: 1)?.threshold == 0.7)
    let ties = try Thresholds(probabilities: [[0.5, 0.5], [0.5, 0.5]], targets: .one([0, 1]))
    #expect(ties.all.map(\.threshold) == [0.5] && ties.all[0].precision == 0.5)
    let wrong = try Thresholds(probabilities: [[0.9, 0.1], [0.9, 0.1]], targets: .several([[1], [1]]))
    #expect(
      Thresholds.point(of: wrong.all, reaching: 0.6) == nil && Thresholds.best(of: wrong.classes[0]) == nil)
    #expect(try Thresholds(probabilities: [], targets: .one([])).all == [])
    #expect(throws: LearningProblem.length(row: 1, found: 1, expected: 2)) {
      try Thresholds(probabilities: [[1, 0], [1]], targets: .one([0, 0]))
    }
    #expect(throws: LearningProblem.notFinite(row: 0)) {
      try Thresholds(probabilities: [[.nan, 0]], targets: .one([0]))
    }
  }
}
