// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension TrainingFindings {
  /// The number of standard errors that counts as significant.
  private static let certainty = 2.0

  /// Notes about the photos and the answers, as sentences without the final stop.
  var notes: [Advice] { [knownTest, guessing, highThreshold].compactMap(\.self) }

  /// A note on test photos that are also training photos.
  private var knownTest: Advice? {
    guard let first = knownTestPhotos.first else { return nil }
    let count = DecimalText.counted(knownTestPhotos.count, "test photo is", "test photos are")
    let rest = test == nil ? "; there are no other test photos" : ""
    return
      "\(count) also for training and not evaluated, such as '\(first.test.name.printable)'\(rest)"
  }

  /// A note on a threshold that the model cannot reach.
  private var highThreshold: Advice? {
    guard wantedThreshold > highestScore else { return nil }
    return
      "the quantised head's scores and threshold are at most \(DecimalText.fixed(highestScore, places: 4)); "
      + "\(flag: "head float", "Options.head = .float") has scores up to 1"
  }

  /// A note on predictions that are right no more often than the largest class.
  private var guessing: Advice? {
    guard !isMultiLabel else { return nil }
    let counts = judged.targets.counts(classCount: set.classes.count)
    let chance = Double(counts.max() ?? 0) / Double(max(1, judged.photos.count))
    let figures = figures
    guard figures.accuracy <= chance + TrainingFindings.certainty * figures.standardError else { return nil }
    return
      """
      predictions are hardly better than always naming the largest class, which is right for \
      \(DecimalText.fixed(100 * chance, places: 1)) %: the backbone does not distinguish these photos, or \
      the labels are wrong
      """
  }
}
