// SPDX-License-Identifier: Apache-2.0

/// Precision and recall over thresholds, for each class and for all pairs of photo and class.
///
/// Pairs without a score form the last group of equal scores.
struct ScoreCurves {
  /// The curve of all pairs.
  let all: [Thresholds.Point]
  /// The average precision of each class; nil if no photo has it, or if a photo lacks scores.
  let classes: [Double?]
  /// The average precision of all pairs; nil without one, or if a photo lacks scores.
  let averagePrecision: Double?

  init(_ photos: [LabeledPhoto], classCount: Int) {
    var answers = [[Thresholds.Answer]](repeating: [], count: classCount)
    var given = [Int](repeating: 0, count: classCount)
    for photo in photos {
      for label in photo.given { given[label] += 1 }
      for answer in photo.answers {
        let index = Int(answer.classIndex)
        answers[index].append(
          Thresholds.Answer(score: Double(answer.score), isRight: photo.given.contains(index)))
      }
    }
    let areWhole = photos.allSatisfy(\.isWhole)
    classes = answers.indices.map { index in
      guard areWhole else { return nil }
      return Thresholds.averagePrecision(
        of: Thresholds.curve(answers[index], pairCount: photos.count, rightCount: given[index]))
    }
    all = Thresholds.curve(
      Array(answers.joined()), pairCount: photos.count * classCount, rightCount: given.reduce(0, +))
    averagePrecision = areWhole ? Thresholds.averagePrecision(of: all) : nil
  }
}
