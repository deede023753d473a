// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension TrainingFindings {
  /// How many standard errors are no accident.
  private static let certainty = 2.0

  /// What should be known about the photos and the answers, as sentences without the final stop.
  var notes: [Advice] { [knownTest, guessing, highThreshold].compactMap(\.self) }

  /// That test photos are among those that are learned from.
  private var knownTest: Advice? {
    guard let first = knownTestPhotos.first else { return nil }
    let count = DecimalText.counted(knownTestPhotos.count, "test photo is", "test photos are")
    let rest = test == nil ? "; no other test photo is there" : ""
    return
      "\(count) among those that are learned from, and not judged, such as '\(first.test.name.printable)'\(rest)"
  }

  /// That the model cannot have the threshold that is wanted.
  private var highThreshold: Advice? {
    guard wantedThreshold > highestScore else { return nil }
    return
      "the scores of the quantised head end at \(DecimalText.fixed(highestScore, places: 4)), and so does its threshold; "
      + "\(flag: "head float", "Options.head = .float") has scores up to 1"
  }

  /// That answers are right no more often than the largest class is.
  private var guessing: Advice? {
    guard !isMultiLabel else { return nil }
    let counts = judged.targets.counts(classCount: set.classes.count)
    let chance = Double(counts.max() ?? 0) / Double(max(1, judged.photos.count))
    let figures = figures
    guard figures.accuracy <= chance + TrainingFindings.certainty * figures.standardError else { return nil }
    return
      "answers are hardly better than naming the largest class always, which is right for "
      + "\(DecimalText.fixed(100 * chance, places: 1)) %: the backbone sees too little in these photos, or the labels are wrong"
  }
}
