// SPDX-License-Identifier: Apache-2.0

/// The counts of the answers at a threshold.
struct LabelTally {
  private(set) var rightCount = 0
  private(set) var topFiveCount = 0
  /// If false, neither the five highest scores of a photo nor that of a given class are known.
  private(set) var isTopFiveKnown = true
  private(set) var missingCount = 0
  private(set) var confusion = ConfusionTable()
  private var photos: [Int]
  private var answers: [Int]
  private var rightAnswers: [Int]

  init(_ photos: [LabeledPhoto], _ evaluator: LabelEvaluator) {
    let zeros = [Int](repeating: 0, count: evaluator.classCount)
    (self.photos, answers, rightAnswers) = (zeros, zeros, zeros)
    for photo in photos {
      let kept = photo.answers.prefix { Double($0.score) >= evaluator.threshold }
      for label in photo.given { self.photos[label] += 1 }
      if kept.isEmpty { missingCount += 1 }
      if let first = kept.first, photo.given.contains(Int(first.classIndex)) { rightCount += 1 }
      // A rank is among all scores; the threshold applies only to answers.
      if photo.answers.count < LabelMetrics.topCount, !photo.hasKnownScore { isTopFiveKnown = false }
      if LabelTally.first(LabelMetrics.topCount, of: photo.answers, have: photo.given) { topFiveCount += 1 }
      for answer in evaluator.isMultiLabel ? kept : kept.prefix(1) {
        count(Int(answer.classIndex), given: photo.given)
      }
      if !evaluator.isMultiLabel, let given = photo.given.first {
        confusion.add(given: given, answered: kept.first.map { Int($0.classIndex) })
      }
    }
  }

  /// Returns the figures of each class.
  func classes(averagePrecisions: [Double?]) -> [LabelMetrics.ClassFigures] {
    photos.indices.map { index in
      LabelMetrics.ClassFigures(
        photoCount: photos[index], answerCount: answers[index], rightCount: rightAnswers[index],
        averagePrecision: averagePrecisions[index])
    }
  }

  private mutating func count(_ answer: Int, given: [Int]) {
    answers[answer] += 1
    if given.contains(answer) { rightAnswers[answer] += 1 }
  }

  /// Whether a given class is among the first scores; among equal ones the highest class comes first.
  private static func first(_ count: Int, of answers: [LabeledPhoto.Answer], have given: [Int]) -> Bool {
    given.contains { label in
      guard let own = answers.first(where: { $0.classIndex == label }) else { return false }
      let before = answers.count {
        $0.score > own.score || ($0.score == own.score && $0.classIndex > own.classIndex)
      }
      return before < count
    }
  }
}
