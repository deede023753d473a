// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaTesting

/// Randomly labelled photos with answers, the same as in Fixtures/make-label-figures.py for the same number.
struct RandomLabels {
  let classCount: Int
  let threshold: Double
  let isMultiLabel: Bool
  private(set) var photos: [LabeledPhoto] = []

  init(number: UInt64) {
    var random = SeededGenerator(seed: number)
    classCount = 2 + random.below(11)
    // The last classes have no photos.
    let used = max(1, classCount - random.below(3))
    let count = 1 + random.below(30)
    let kind = random.below(4)
    isMultiLabel = random.below(4) == 0
    threshold = Double(random.below(4)) / [16, 4, 64, 4][kind]
    for _ in 0..<count {
      var given: [Int] = []
      if isMultiLabel { given = (0..<used).filter { _ in random.below(3) == 0 } }
      if given.isEmpty { given = [random.below(used)] }
      let scores = RandomLabels.scores(&random, kind, classCount)
      // Answers may come in any order.
      photos.append(
        LabeledPhoto(
          given: given, answers: scores.enumerated().reversed().map { LabeledPhoto.Answer($0, $1) }))
    }
  }

  /// The scores of a photo: complete probabilities, ties, truncated lists, or any.
  private static func scores(_ random: inout SeededGenerator, _ kind: Int, _ classCount: Int) -> [Float] {
    if kind == 0 {
      var row = [Float](repeating: 0, count: classCount)
      for _ in 0..<64 { row[random.below(classCount)] += 1 }
      return row.map { $0 / 64 }
    }
    if random.below(8) == 0 { return [Float](repeating: 0, count: classCount) }
    return (0..<classCount).map { _ in
      switch kind {
      case 1: Float(random.below(9)) / 8
      case 2: Float(max(0, random.below(48) - 31)) / 256
      default: Float(random.below(1 << 20)) / Float(1 << 20)
      }
    }
  }
}
