// SPDX-License-Identifier: Apache-2.0

import FoveaTraining
import Testing

@Suite struct CrossValidationTests {
  /// Pseudorandom numbers from -1 to 1, the same in each run.
  private static func noise(_ index: Int) -> Float {
    var mixed = UInt64(index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed ^= mixed >> 27
    return Float(Double(mixed >> 11) / Double(1 << 52)) - 1
  }

  /// Photos of three classes whose features lie around one corner each, and overlap.
  private static func photos(_ count: Int, spread: Float = 2) throws -> (FeatureMatrix, [Int]) {
    let labels = (0..<count).map { $0 % 3 }
    let rows = labels.enumerated().map { index, label in
      (0..<8).map { ($0 == label ? 1 : 0) + spread * noise(index * 8 + $0) }
    }
    return (try FeatureMatrix(rows), labels)
  }

  private static func accuracy(_ scores: [[Double]], _ labels: [Int]) -> Double {
    let right = zip(scores, labels).filter { scores, label in scores.allSatisfy { $0 <= scores[label] } }
    return Double(right.count) / Double(labels.count)
  }

  @Test func `the strength with the least log loss wins, after the loss has risen twice`() throws {
    let (features, labels) = try Self.photos(120)
    let found = try CrossValidation(features, labels: labels, classCount: 3, folds: Folds(labels: labels))
    let best = try #require(found.trials.min { $0.logLoss < $1.logLoss })
    #expect(found.strength == best.strength)
    #expect(abs(Calibration.logLoss(found.scores, labels) - best.logLoss) < 1e-12)
    #expect(found.scores.count == 120 && found.scores.allSatisfy { $0.count == 3 })
    // Better than guessing, and no better than possible.
    #expect((0.4...0.9).contains(Self.accuracy(found.scores, labels)))
    #expect((4...8).contains(found.trials.count), "\(found.trials)")
    let fixed = try CrossValidation(
      features, labels: labels, classCount: 3, folds: Folds(labels: labels), strength: best.strength)
    #expect(fixed.trials.count == 1 && abs(fixed.trials[0].logLoss - best.logLoss) < 1e-3)
  }

  @Test(arguments: [1, 2]) func `a cancelled task learns nothing more`(jobs: Int) async throws {
    let (features, labels) = try Self.photos(30)
    let work = Task { () -> LearningProblem? in
      // SAFETY: the task is not stored.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do throws(LearningProblem) {
        _ = try CrossValidation(
          features, labels: labels, classCount: 3, folds: Folds(labels: labels), jobs: jobs)
        return nil
      } catch {
        return error
      }
    }
    #expect(await work.value == .cancelled)
  }

  @Test func `a label without photos is not learned`() throws {
    let (features, _) = try Self.photos(90, spread: 1)
    // Each photo twice, once with either label: together in a fold, or its copy would reveal it.
    let twins = try FeatureMatrix((0..<180).map { Array(features[$0 / 2]) })
    let labels = (0..<180).map { $0 % 2 }
    let together = try Folds(labels: (0..<180).map { $0 / 2 % 2 }, groups: (0..<180).map { $0 / 2 })
    let found = try CrossValidation(twins, labels: labels, classCount: 2, folds: together)
    #expect(found.trials.map(\.logLoss).min() ?? 0 > 0.69)
  }

  @Test(arguments: [Targets.one((0..<90).map { $0 % 3 }), .several((0..<90).map { [$0 % 3] })])
  func `the result is the same on any number of threads`(targets: Targets) throws {
    let (features, labels) = try Self.photos(90)
    let folds = try Folds(labels: labels)
    let one = try CrossValidation(features, targets: targets, classCount: 3, folds: folds)
    let many = try CrossValidation(features, targets: targets, classCount: 3, folds: folds, jobs: 4)
    #expect(one.trials == many.trials && one.scores == many.scores)
  }

  @Test func `a fold scores as a head scaled by its training photos`() throws {
    let (features, labels) = try Self.photos(60)
    // Two of three folds are scaled down by half, so that scales differ.
    let folds = try Folds(labels: labels, count: 3)
    let rows = (0..<60).map { row in features[row].map { folds.fold[row] == 0 ? 3 * $0 + 1 : $0 } }
    let uneven = try FeatureMatrix(rows)
    let found = try CrossValidation(uneven, labels: labels, classCount: 3, folds: folds, strength: 0.1)
    for part in 0..<3 {
      let learned = folds.rows(without: part)
      let scaled = try FeatureScale(of: uneven, rows: learned).scaled(uneven)
      let head = try SoftmaxRegression(
        scaled, labels: labels, rows: learned, classCount: 3, strength: 0.1,
        optimizer: LBFGS(tolerance: 1e-7, maximumSteps: 500))
      for row in folds.rows(of: part) {
        let scores = FittedHead([head], isSeveral: false).scores(scaled, row: row)
        for (a, b) in zip(found.scores[row], scores) { #expect(abs(a - b) < 1e-2) }
      }
    }
  }

  @Test func `with several classes per photo, each class is learned separately`() throws {
    let (features, _) = try Self.photos(150, spread: 0.5)
    // The first two classes depend on one feature each, the third has no photo.
    let sets = (0..<150).map { row in [0, 1].filter { features[row][8 * row + $0] > 0.5 } }
    let folds = try Folds(sets: sets, classCount: 3)
    let found = try CrossValidation(features, targets: .several(sets), classCount: 3, folds: folds)
    let right = zip(found.scores, sets).count { scores, set in
      (0..<3).allSatisfy { (scores[$0] > 0) == set.contains($0) }
    }
    #expect(right >= 130, "\(right)")
    #expect(
      abs(Calibration.logLoss(found.scores, .several(sets)) - (found.trials.map(\.logLoss).min() ?? 0))
        < 1e-12)
    #expect(throws: LearningProblem.labels) {
      try CrossValidation(features, targets: .several(sets), classCount: 1, folds: folds)
    }
  }

  @Test func `labels that do not fit are an error`() throws {
    let (features, labels) = try Self.photos(12)
    let folds = try Folds(labels: labels)
    #expect(throws: LearningProblem.labels) {
      try CrossValidation(features, labels: labels, classCount: 2, folds: folds)
    }
    #expect(throws: LearningProblem.oneClass) {
      try CrossValidation(features, labels: labels, classCount: 1, folds: folds)
    }
    #expect(throws: LearningProblem.labels) {
      try CrossValidation(features, labels: labels, classCount: 3, folds: Folds(labels: [0, 0, 1, 1]))
    }
    let constant = try FeatureMatrix([[Float]](repeating: [1, 2], count: 12))
    #expect(throws: LearningProblem.constant) {
      try CrossValidation(constant, labels: labels, classCount: 3, folds: folds)
    }
  }

  @Test func `a photo is suspect if another class is ten times as likely, the most likely first`() throws {
    let probabilities = [
      [0.5, 0.5], [0.05, 0.95], [0.0, 1.0], [0.1, 0.9], [0.95, 0.05], [1.0 / 11, 10.0 / 11],
    ]
    let issues = try LabelIssue.all(in: probabilities, labels: [0, 0, 0, 0, 1, 0])
    #expect(issues.map(\.row) == [2, 1, 4, 5] && issues.map(\.likelier) == [1, 1, 0, 1])
    #expect(issues[0].ratio.isFinite && abs(issues[1].ratio - 19) < 1e-9)
    #expect(issues.map(\.probability) == [1, 0.95, 0.95, 10.0 / 11])
    #expect(try LabelIssue.all(in: [], labels: []) == [])
    #expect(throws: LearningProblem.labels) { try LabelIssue.all(in: [[1]], labels: [1]) }
  }
}
