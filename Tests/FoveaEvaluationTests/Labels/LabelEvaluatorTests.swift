// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import Testing

@Suite struct LabelEvaluatorTests {
  static func photo(_ given: [Int], _ scores: [(Int, Float)]) -> LabeledPhoto {
    LabeledPhoto(given: given, answers: scores.map { LabeledPhoto.Answer($0, $1) })
  }

  @Test func `without photos there are no figures`() {
    let metrics = LabelEvaluator(classCount: 3).evaluate([])
    #expect(metrics.photoCount == 0 && metrics.accuracy == 0 && metrics.standardError == 0)
    for averages in [metrics.macro, metrics.micro] {
      #expect(averages.precision == nil && averages.recall == nil && averages.f1 == nil)
      #expect(averages.averagePrecision == nil)
    }
    #expect(metrics.logLoss == nil && metrics.calibrationError == nil && metrics.curve.isEmpty)
  }

  @Test func `a photo without an answer at the threshold is wrong and missing`() {
    let photos = [
      Self.photo([0], [(0, 0.9), (1, 0.1)]), Self.photo([0], [(0, 0.4), (1, 0.6)]), Self.photo([1], []),
      Self.photo([1], [(1, 0.5), (0, 0.5)]),
    ]
    let metrics = LabelEvaluator(classCount: 2, threshold: 0.6).evaluate(photos)
    #expect(metrics.missingCount == 2)
    #expect(metrics.accuracy == 0.25)
    #expect(metrics.micro.precision == 0.5 && metrics.micro.recall == 0.25)
    #expect(metrics.confusion.counts.count == 3)
    #expect(metrics.confusion[0, 0] == 1 && metrics.confusion[0, 1] == 1 && metrics.confusion[1, nil] == 2)
  }

  @Test func `top five looks at all scores, whatever the threshold`() {
    let photos = [
      Self.photo([0], [(0, 0.2), (1, 0.3), (2, 0.25)]), Self.photo([1], [(1, 0.9), (0, 0.1)]),
      Self.photo([6], [(0, 0.2), (1, 0.19), (2, 0.18), (3, 0.17), (4, 0.16), (6, 0.1)]),
    ]
    for threshold in [0, 0.34, 1] {
      let metrics = LabelEvaluator(classCount: 7, threshold: threshold).evaluate(photos)
      #expect(metrics.topFive == 2 / 3.0)
      #expect(metrics.missingCount == (threshold == 0 ? 0 : threshold == 1 ? 3 : 2))
    }
  }

  @Test func `among equal scores the lowest class is the first answer`() {
    let photo = Self.photo([1], [(2, 0.5), (1, 0.5)])
    #expect(photo.answers.map(\.classIndex) == [1, 2])
    #expect(LabelEvaluator(classCount: 3).evaluate([photo]).accuracy == 1)
  }

  @Test func `the higher of two scores of a class counts, and a score of 0 is not an answer`() {
    let photo = Self.photo([0], [(0, 0.2), (0, 0.7), (1, 0)])
    #expect(photo.answers == [LabeledPhoto.Answer(0, 0.7)])
  }

  @Test func `scores that are not complete have no log loss, and sums above 1 no calibration`() {
    let cut = LabelEvaluator(classCount: 2).evaluate([Self.photo([0], [(0, 0.6)])])
    #expect(cut.logLoss == nil)
    #expect(cut.calibrationError.map { abs($0 - 0.4) < 1e-6 } == true)
    let sigmoids = LabelEvaluator(classCount: 2).evaluate([Self.photo([0], [(0, 0.9), (1, 0.8)])])
    #expect(sigmoids.logLoss == nil && sigmoids.calibrationError == nil && sigmoids.reliability.isEmpty)
  }

  @Test func `with several labels each answer at the threshold counts`() {
    let photos = [
      Self.photo([0, 2], [(0, 0.9), (1, 0.8), (2, 0.1)]), Self.photo([1], [(0, 0.9), (1, 0.8)]),
    ]
    let metrics = LabelEvaluator(classCount: 3, threshold: 0.5, isMultiLabel: true).evaluate(photos)
    #expect(metrics.accuracy == 0.5)
    #expect(metrics.micro.precision == 0.5 && metrics.micro.recall == 2 / 3.0)
    #expect(metrics.balancedAccuracy == nil && metrics.logLoss == nil && metrics.confusion.counts.isEmpty)
  }

  @Test func `a confusion matrix of ten thousand classes stores only what occurs`() {
    let photos = (0..<10_000).map { Self.photo([$0], [(($0 + 1) % 10_000, 1)]) }
    let metrics = LabelEvaluator(classCount: 10_000).evaluate(photos)
    #expect(metrics.confusion.counts.count == 10_000)
    #expect(metrics.confusion.mostFrequentMistakes[9_999]?.answered == 0)
    #expect(metrics.confusion.answerCounts.count == 10_000)
  }

  @Test func `a class is most often confused with the first of equally frequent classes`() {
    var table = ConfusionTable()
    for answered in [2, 1, 3, 3, 1, 0, 0, 0, nil, nil, nil, nil] { table.add(given: 0, answered: answered) }
    let mistake = table.mostFrequentMistakes[0]
    #expect(mistake?.answered == 1 && mistake?.count == 2)
    #expect(table.answerCounts == [0: 3, 1: 2, 2: 1, 3: 2])
  }
}
