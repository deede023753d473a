// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The quality of scores as probabilities, for photos with one class each.
struct FirstScores {
  /// The log loss; nil if the scores of a photo do not have a sum of about 1, or lack that of its class.
  let logLoss: Double?
  /// The calibration error; nil if a photo's scores have a larger sum, so that they are not probabilities, or
  /// all were left out.
  let calibrationError: Double?
  /// The bins behind `calibrationError`; empty if that is nil.
  let reliability: [ReliabilityBin]

  /// The maximum difference of a photo's sum from 1, because scores in steps of 1/256 are each rounded.
  private static let slack = 0.1

  init(_ photos: [LabeledPhoto], bins: Int) {
    let sums = photos.map { $0.answers.reduce(0) { $0 + Double($1.score) } }
    let areProbabilities =
      !photos.isEmpty && sums.allSatisfy { $0 <= 1 + FirstScores.slack }
      && photos.allSatisfy { $0.isWhole || !$0.answers.isEmpty }
    let areWhole =
      areProbabilities && sums.allSatisfy { $0 >= 1 - FirstScores.slack }
      && photos.allSatisfy(\.hasKnownScore)
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

  /// Returns the negative logarithm of the right class's score, clipped as in scikit-learn's `log_loss`.
  private static func loss(_ photo: LabeledPhoto) -> Double {
    let score = photo.answers.first { photo.given.contains(Int($0.classIndex)) }?.score ?? 0
    return -log(min(max(Double(score), .ulpOfOne), 1 - .ulpOfOne))
  }
}
