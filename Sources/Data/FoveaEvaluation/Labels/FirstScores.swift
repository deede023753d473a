// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// What scores are worth as probabilities, of photos that have one class each.
struct FirstScores {
  /// Nil where the scores of a photo do not add up to about 1.
  let logLoss: Double?
  /// Nil where the scores of a photo add up to more than that, so that they are no probabilities of one class.
  let calibrationError: Double?
  /// What `calibrationError` is made of; empty where that is nil.
  let reliability: [ReliabilityBin]

  /// How far from 1 the sum of a photo's probabilities may be: scores in steps of 1/256 are rounded each.
  private static let slack = 0.1

  init(_ photos: [LabeledPhoto], bins: Int) {
    let sums = photos.map { $0.answers.reduce(0) { $0 + Double($1.score) } }
    let areProbabilities = !photos.isEmpty && sums.allSatisfy { $0 <= 1 + FirstScores.slack }
    let areWhole = areProbabilities && sums.allSatisfy { $0 >= 1 - FirstScores.slack }
    logLoss = areWhole ? photos.reduce(0) { $0 + FirstScores.loss($1) } / Double(photos.count) : nil
    guard areProbabilities else {
      (calibrationError, reliability) = (nil, [])
      return
    }
    reliability = ReliabilityBin.all(
      photos.map { $0.answers.first.map { Double($0.score) } ?? 0 },
      areRight: photos.map { photo in
        photo.answers.first.map { photo.given.contains(Int($0.classIndex)) } ?? false
      }, count: bins)
    calibrationError =
      reliability.reduce(0) { $0 + abs($1.probabilitySum - Double($1.rightCount)) } / Double(photos.count)
  }

  /// The negative logarithm of the score of the right class, clipped as scikit-learn's `log_loss` does.
  private static func loss(_ photo: LabeledPhoto) -> Double {
    let score = photo.answers.first { photo.given.contains(Int($0.classIndex)) }?.score ?? 0
    return -log(min(max(Double(score), .ulpOfOne), 1 - .ulpOfOne))
  }
}
