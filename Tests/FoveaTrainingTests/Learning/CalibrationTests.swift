// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTraining
import Testing

@Suite struct CalibrationTests {
  /// Predictions that are right this often, with scores that are too sharp by a factor.
  private static func answers(_ count: Int, sharpness: Double) -> (scores: [[Double]], labels: [Int]) {
    var (scores, labels): ([[Double]], [Int]) = ([], [])
    // With scores of ±1 the first class has the probabilities 0.7311 and 0.2689, and as many photos belong to
    // it.
    for index in 0..<count {
      let isFirst = index % 2 == 0
      scores.append([isFirst ? sharpness : 0, isFirst ? 0 : sharpness])
      let isRight = Double((index / 2 * 7919) % 10_000) / 10_000 < 0.731058578630005
      labels.append(isFirst == isRight ? 0 : 1)
    }
    return (scores, labels)
  }

  @Test(arguments: [0.5, 1, 2, 4])
  func `the temperature is the factor by which scores are too sharp`(sharpness: Double) throws {
    let (scores, labels) = Self.answers(20_000, sharpness: sharpness)
    let found = try Temperature(scores: scores, targets: .one(labels)).value
    #expect(abs(found / sharpness - 1) < 0.01, "\(found)")
    let before = Calibration.logLoss(scores, labels)
    #expect(Calibration.logLoss(scores, labels, temperature: found) <= before)
  }

  @Test func `few photos have no temperature, and certain ones have a bound`() throws {
    let few = Self.answers(48, sharpness: 4)
    #expect(try Temperature(scores: few.scores, targets: .one(few.labels)).value == 1)
    #expect(try Temperature(scores: [], targets: .one([])).value == 1)
    let right = [[Double]](repeating: [1, 0], count: 60)
    let sharp = try Temperature(scores: right, targets: .one([Int](repeating: 0, count: 60))).value
    #expect(sharp < 0.051 && sharp > 0.049)
    let wrong = try Temperature(scores: right, targets: .one([Int](repeating: 1, count: 60))).value
    #expect(wrong > 20)
  }

  @Test func `the calibration error is the difference of probability and success`() {
    #expect(Calibration.expectedError([], []) == 0)
    // Four predictions at 0.8, three of them right: 0.05.
    let four = [[Double]](repeating: [0.8, 0.2], count: 4)
    #expect(abs(Calibration.expectedError(four, [0, 0, 0, 1]) - 0.05) < 1e-12)
    #expect(abs(Calibration.expectedError(four, [1, 1, 1, 1]) - 0.8) < 1e-12)
    // Certain and right, certain and wrong.
    #expect(Calibration.expectedError([[1, 0], [0, 1]], [0, 1]) == 0)
    #expect(Calibration.expectedError([[1, 0], [0, 1]], [1, 0]) == 1)
    // Two bins, which do not cancel out.
    let two = [[0.9, 0.1], [0.6, 0.4]]
    #expect(abs(Calibration.expectedError(two, [1, 0]) - (0.9 + 0.4) / 2) < 1e-12)
  }

  @Test func `labels that do not fit are an error`() {
    #expect(throws: LearningProblem.labels) { try Temperature(scores: [[1, 2]], targets: .one([])) }
    #expect(throws: LearningProblem.labels) { try Temperature(scores: [[1, 2]], targets: .one([2])) }
    #expect(throws: LearningProblem.labels) { try Temperature(scores: [[1, 2]], targets: .one([-1])) }
    #expect(throws: LearningProblem.notFinite(row: 1)) {
      try Temperature(scores: [[1, 2], [.nan, 1]], targets: .one([0, 0]))
    }
  }

  @Test func `a shifted prior takes their excess from frequent classes`() {
    let shift = PriorShift.uniform(counts: [100, 10, 0, 50], keeping: [3])
    #expect(abs(shift[0] - shift[1] - 2.302585092994046) < 1e-12)
    #expect(shift[2] == 0 && shift[3] == 0)
    // The class that keeps its bias stays as likely: all others together lose as much as they gain.
    #expect(
      abs([100.0, 10].enumerated().reduce(0) { $0 + $1.element * exp(-shift[$1.offset]) } - 110) < 1e-9)
    #expect(PriorShift.uniform(counts: [5, 5, 9], keeping: [2]) == [0, 0, 0])
    #expect(PriorShift.uniform(counts: []) == [])
  }
}
